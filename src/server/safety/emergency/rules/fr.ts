import type { PhraseRules } from '../phrase-rules.ts'

const POISON =
  'javel|lessive|detergent|produit_menager|produit*|nettoyant|deboucheur|detartrant|antigel|white_spirit|essence|petrole|peinture|acide|soude|ammoniaque|chlore|mort_aux_rats|poison|pesticide*|insecticide*|desherbant|champignon*|baies|plante|medicament*|comprime*|cachet*|somnifere*|doliprane|paracetamol|antidepresseur*|pilule*|pile|piles|aimant*|nicotine|colle|dissolvant|liquide|alcool|gel_hydroalcoolique|capsule*|pastille*|boite|plaquette|flacon|tube|insuline|drogue|gouttes|muguet'
const WHO =
  'je|j|ai|mon|ma|mes|il|elle|on|nous|ils|fils|fille|enfant|bebe|petit|petite|mari|femme|mere|pere|maman|papa|frere|soeur|ami|amie|copain|copine|voisin*|grand|mamie|papi|quelqu|personne|homme|conjoint|collegue|oncle|tante|gamin*|monsieur|dame'

export const FR: PhraseRules = {
  self_harm: [
    '!me_tuer|se_tuer|me_suicider|se_suicider|me_pendre|se_pendre|me_foutre_en_l_air|me_flinguer|me_noyer|me_tirer_une_balle|mettre_fin_a_mes_jours|mettre_fin_a_ses_jours|mettre_fin_a_ma_vie|m_oter_la_vie|me_donner_la_mort|en_finir + je|veux|vais|va|veut|dit|menace|ce_soir|envie|penser|pense|maintenant|elle|il|tout|avec|vie',
    '!plus_envie_de_vivre|ne_veux_plus_vivre|veux_plus_vivre|veux_mourir|envie_de_mourir|envie_de_crever|voudrais_mourir|plus_la_force_de_vivre|plus_reveiller|preferais_etre_mort*|mieux_sans_moi|lettre_d_adieu|message_d_adieu|lettre_de_suicide|pensees_suicidaires|idees_suicidaires|suicidaire|tentative_de_suicide|fait_une_ts|plus_de_raison_de_vivre|fatigue*_de_vivre|disparaitre_pour_toujours|ne_plus_etre_la',
    '!saut*|jeter|jette|jeter_dans + pont|toit|balcon|fenetre|train|metro|vide|rails|falaise',
    '!debout|assis|monte*|est|suis + toit|pont|rambarde|rebord|balcon|rails + saut*|adieu|pleure|fin|vide|jeter|parapet',
    '!scarifi*|taillade*|ouvrir_les_veines|ouvert_les_veines|couper_les_veines|coupe_les_veines|me_coupe|me_couper|me_mutile*',
    '!comprimes_devant|cachets_devant|medicaments_devant|corde|arme + pret*|fini|adieu|mourir|vie|moi|mes|plus',
    '!en_peux_plus|peux_plus|en_ai_marre_de_la_vie + prepare|adieu|retiendra|mourir|vivre|comprimes|lettre|finir|vie',
    '!adieu|dit_adieu|adieux + repond_plus|enferm*|couteau|medicaments|message|tout_le_monde|inquiet*|pont',
  ],
  poisoning: [
    `!aval*|bu|boit|bois|ingere*|ingurgit*|mange*|pris|prends|inhal*|respire*|sniff*|leche|crois* + ${POISON} + ${WHO} + vient|toute|tout|toutes|tous|mes|plein|hier|heure|vomit|vomi|que_faire|minutes|aide|mal|secours|d|de|du|des|par|trop|la|une`,
    `!surdose|overdose|intoxique*|empoisonne*|surdosage + ${WHO}`,
    '!monoxyde|odeur_de_gaz|sent_le_gaz|fuite_de_gaz|detecteur + tete|vertige*|nausee*|sonne|maison|appartement|forte|cuisine|malaise|tous|gaz|fort',
    '!ecume_aux_levres|bave_mousse|mousse_bouche',
  ],
  acute_illness: [
    '!arrive_plus_a_respirer|arrive_pas_a_respirer|respire_plus|respire_pas|respire_mal|peut_plus_respirer|peux_plus_respirer|peine_a_respirer|mal_a_respirer|etouffe|etouffement|suffoque|du_mal_a_respirer|manque_d_air|respirer_difficilement|ne_respire',
    '!mal_poitrine|mal_a_la_poitrine|douleur*_poitrine|douleur_thoracique|serre_poitrine|oppress*|douleur_bras_gauche|poitrine_serree|brule_poitrine|poids_poitrine',
    `infarctus|avc|crise_cardiaque|arret_cardiaque + crois|fait|est_en_train|pense|maintenant|aide|vite + ${WHO}`,
    `!inconscient*|evanoui*|tombe_dans_les_pommes|perdu_connaissance|perd_connaissance|repond_plus|repond_pas|reagit_plus|reagit_pas|se_reveille_pas|se_reveille_plus|bouge_plus|bouge_pas|plus_de_pouls|pas_de_pouls|s_est_effondre*|fait_un_malaise|malaise + ${WHO}`,
    '!convuls*|crise_d_epilepsie|crise_epilepsie|fait_une_crise|tremble_de_partout + minutes|il|elle|bebe|enfant|arrete|mon|ma|depuis|aide',
    '!saigne|sang|hemorragie + beaucoup|arrete|partout|tete|enormement|perd|abondamment|plein|enceinte|coule|profond*|gicle|crache|vomit|artere|garrot',
    '!bouche_tordue|bouche_de_travers|visage_paralyse|visage_deforme|moitie_du_visage|paralyse*|parle_bizarre*|arrive_plus_a_parler|arrive_pas_a_parler|n_arrive_plus_a_parler|bras_engourdi|plus_lever_le_bras|sent_plus_son_bras|bouger_son_bras|visage_tombe|dit_n_importe_quoi_d_un_coup|voit_plus_rien',
    '!anaphyla*|choc_allergique|allergi*|pique_par|guepe*|abeille*|frelon* + gonfl*|gorge|langue|respir*|choc|visage|malaise|anaphyla*',
    '!levres_bleues|devient_bleu*|tout_bleu|toute_bleue|devenu_bleu|bleuit|vire_au_bleu',
    'contractions|perdu_les_eaux|accouch*|bebe_arrive + minutes|maintenant|seule|route|aide|arrive|voiture|hopital|vite',
    '!tombe*|chute*|renvers*|accident|coince*|ecrase* + bouge_plus|inconscient*|saigne*|sang|respir*|repond|tete|blesse*|coince*|secours|etage|mal_au_cou|grave',
    '!noy*|electrocut*|brule*|ebouillante*|eau_bouillante|vipere|serpent|coup_de_chaleur|hypothermie + enfant|il|elle|fils|fille|mon|ma|bebe|respir*|aide|bras|main|visage|jambe|peau|mordu*|gravement',
    'fievre|hypoglycemie|diabetique|asthme|meningite + inconscient*|mou|molle|convuls*|reveille|ventoline|respir*|confus*|taches|raideur|repond',
    '!incendie|il_y_a_le_feu|maison_brule|appartement_brule|feu_dans|fumee_partout|en_feu + maintenant|bloque*|coince*|chez|aide|cuisine|immeuble|appartement|sortir|maison|enfants',
  ],
  violence: [
    '!frappe|tape|bat|etrangle|viole|agresse|menace|cogne|poignarde*|tabasse*|gifle|insulte_et_frappe|frappee|agressee|violee|battu*|etranglee|agresse*|me_tire_les_cheveux|frapper|tuer + me|m|moi|nous|ma|mere|maman|femme|voisine|quelqu|gens|soeur|on + mari|conjoint|ex|copain|pere|il|homme|compagnon|maintenant|aide|type|frere|mec|quelqu|train|secours|voisin|se_fait|beau',
    '!me_tuer|nous_tuer|va_me_tuer|la_tuer|tuer_tout_le_monde|me_planter|me_buter + il|mari|ex|conjoint|dit|menace|veut|copain|va|elle|pere|allait',
    '!homme|type|mec|individu|quelqu|voisin|femme|jeune|gars|ex + arme*|couteau|pistolet|fusil|hache|machette|flingue|bombe|kalach*|carabine + avec|a|est|entre*|dans|menace|tient|braque|dehors|rue|devant|armee|poursuit',
    '!defonce|casse|tape|frappe|force + porte|fenetre + mon|ma|ex|mari|quelqu|il|aide|peur|homme',
    '!coups_de_feu|fusillade|ca_tire|entends_tirer|prise_d_otage|otage|cambriol*|intrus|quelqu_un_est_entre|entre_chez_moi|rentre_chez_moi|attentat + maintenant|aide|dans|ici|chez|suis|moi|cache*|entend*|lycee|ecole|cours|train|il_y_a|des',
    '!m_enferme|enfermee|enferme|sequestr*|m_empeche_de_sortir|me_laisse_pas_sortir|me_suit|me_poursuit|kidnapp*|cachee|cache_dans|peur_pour_ma_vie|suis_en_danger|peur_qu_il + mari|il|ex|conjoint|homme|aide|peur|copain|salle_de_bain|danger|suis|pere|rentre',
  ],
  never:
    'statistique*|combien_de_cas|nombre_de|chiffres|il_y_a_des_annees|ans_apres|film*|roman*|serie_tele|jeu_de_societe|jeu_video|escape_game|expression|mort_de_rire|mdr|lol|piece_de_theatre|polar',
  unless:
    'subvention*|etude|recherche|memoire|formation*|stage|assurance|rembours*|indemnis*|demande_de|dossier|formulaire|certificat|permis|declarer|lien|page|site|processus|serveur|delai|parking|horaires|archive*|musee|exposition|expo|prevention|loi|peine|brochure|affiche|l_an_dernier|annee_derniere|pension|retraite|billets|concert|festival|fete|histoire|association|facture|regles|autorise*|droit_de|rapport|conference|cantine|demarches|cours_de|atelier|visite|depuis_2*|en_2*|en_1*|statut|piscine_ouverte|imprimante|telephone|batterie|ordinateur|logiciel|toxiques',
  misspelt:
    'suicider suicide mourir avale comprimes medicaments poitrine respirer respire inconscient convulse convulsions saigne couteau frappe etrangle agresse champignons javel evanoui pistolet urgence menace violee etouffe',
}
