import type { PhraseRules } from '../phrase-rules.ts'

const POISON =
  'candeggina|varechina|detersivo|detergente|disgorgante|ammoniaca|acido|anticalcare|antigelo|benzina|cherosene|trementina|solvente|vernice|acetone|topicida|veleno|pesticida|insetticida|diserbante|fungo|funghi|bacche|pianta|pillol*|pastiglie|compresse|farmaci|medicine|medicinali|sonniferi|paracetamolo|tachipirina|antidepressivi|ansiolitici|pila|batteria|batterie|magnet*|nicotina|colla|liquido|alcol|gel|capsule|insulina|droga|flacone|scatola|boccetta|prodotto|gocce|soda|cloro|mughetto'
const WHO =
  'io|ho|mi|mio|mia|miei|si|ha|e|figlio|figlia|bambino|bambina|bimbo|bimba|neonato|bebe|marito|moglie|madre|padre|mamma|papa|fratello|sorella|amico|amica|nonno|nonna|vicino|vicina|qualcuno|uomo|donna|ragazzo|ragazza|compagno|compagna|persona|lui|lei|zio|zia|collega|abbiamo|tutti|signora|signore|cugin*'

export const IT: PhraseRules = {
  self_harm: [
    '!uccidermi|ammazzarmi|suicidarmi|suicidarsi|uccidersi|ammazzarsi|impiccarmi|impiccarsi|togliermi_la_vita|togliersi_la_vita|farla_finita|faccio_finita|la_faccio_finita|farmi_del_male|mi_uccido|mi_ammazzo_stasera|si_uccide|si_ammazza|vuole_uccidersi|spararmi|tagliarmi_le_vene|porre_fine_alla_mia_vita|fine_alla_mia_vita',
    '!non_voglio_piu_vivere|non_voglio_vivere|non_vuole_piu_vivere|voglio_morire|vuole_morire|vorrei_morire|voglia_di_morire|voglia_di_vivere_non|non_ho_piu_voglia_di_vivere|non_voglio_svegliarmi|meglio_mort*|meglio_senza_di_me|lettera_d_addio|lettera_di_addio|biglietto_d_addio|biglietto_di_addio|messaggio_d_addio|messaggio_di_addio|pensieri_suicidi|istinti_suicidi|tentato_suicidio|tentato_il_suicidio|stanc*_di_vivere|sparire_per_sempre|non_ha_piu_senso_vivere|nessuno_sentira_la_mia_mancanza',
    '!butta|butto|buttarmi|buttarsi|lanciarsi|lanciarmi|saltare|gettarsi|buttar* + ponte|balcone|finestra|tetto|treno|binari|vuoto|piano|dice',
    '!e_sul|sono_sul|salit*|seduto|in_piedi + ponte|tetto|cornicione|ringhiera|binari|balcone + butt*|salt*|piange|addio|aiuto|dice|vuole',
    '!mi_taglio|mi_sto_tagliando|tagliata_le_vene|tagliato_le_vene|mi_sto_facendo_del_male|autolesionismo_stasera|tagliarmi',
    '!pillole_davanti|pastiglie_davanti|corda_al_collo|pistola_alla_testa|addio_a_tutti|salutato_tutti|cappio + non|sono|ho|mia|mio|tutti|davanti|me',
    'non_ce_la_faccio_piu|non_ne_posso_piu + vivere|vita|morire|pillole|addio|finita|farla',
    '!si_toglie_la_vita|mi_tolgo_la_vita',
    '!mio_ultimo_giorno + deciso|addio|pillol*|pastiglie',
    '!se_non_esistessi|se_non_ci_fossi|non_voglio_piu_stare_qui|non_voglio_piu_esistere|non_voglio_esistere + meglio|tutti|prendo|past*|addio|basta|pillol*',
    '!buttarmi|lanciarmi|gettarmi + metro|metropolitana|treno|macchina|auto|camion|fiume',
    '!si_taglia|si_sta_tagliando|mi_taglio + braccia|vene|polsi|gambe',
    '!non_cercarla|non_cercarlo|non_cercatemi|non_cercarmi + bene|scus*|perdon*|risponde|addio',
  ],
  poisoning: [
    `!bevut*|beve|ingoi*|ingeri*|mangiat*|inghiotti*|preso|presa|inalat*|respirat*|leccat*|avvelenat*|assunto + ${POISON} + ${WHO}`,
    `!overdose|avvelenat*|intossicat*|sovradosaggio + ${WHO} + credo|sta|ha|e|abbiamo|male|vomit*|per|con|essermi|sono|dopo`,
    '!monossido|odore_di_gas|puzza_di_gas|fuga_di_gas|perdita_di_gas + testa|casa|forte|cucina|giramenti|vertigini|allarme|svenut*|tutti|adesso',
    '!schiuma_alla_bocca|schiuma_dalla_bocca',
    '!bevut*|beve|ingoiat*|inghiottit* + lavapavimenti|ammorbidente|brillantante|sgrassatore|profumo|disinfettante',
    '!messa_in_bocca|messo_in_bocca|ingoiat*|inghiottit* + pila|pile|batteri*|calamit*|magnet*|moneta',
    '!mischiat*|mescolat* + candeggina|ammoniaca|varechina|acido + toss*|respir*|gira|occhi|gola',
    '!fatto|fatta|preso|sniffato|fumato + coca|cocaina|eroina|ecstasy|mdma|fentanyl + risponde|troppa|troppo|sveglia|male|strano|strana',
    '!caldaia|stufa|braciere|scaldabagno + mal_di_testa|vertigini|gira_la_testa|vomit*|nausea + tutti|abbiamo|bambini|famiglia',
  ],
  acute_illness: [
    '!non_respira|non_riesce_a_respirare|non_riesco_a_respirare|fatica_a_respirare|respira_male|respira_a_fatica|manca_il_respiro|manca_l_aria|soffoca|soffocando|sta_soffocando|strozza|affoga|smesso_di_respirare|respiro_corto|respirare',
    '!dolore_petto|dolore_al_petto|dolori_al_petto|male_al_petto|oppressione_petto|peso_sul_petto|fitta_al_petto|fitte_al_petto|dolore_braccio_sinistro|stretta_al_petto',
    `infarto|ictus|arresto_cardiaco + credo|avendo|sta|adesso|aiuto|penso|potrebbe + ${WHO}`,
    `!svenut*|incosciente|privo_di_sensi|priva_di_sensi|perso_i_sensi|perso_conoscenza|non_risponde|non_reagisce|non_si_sveglia|non_si_muove|senza_polso|non_ha_polso|collassat*|accasciat*|crollat* + ${WHO}`,
    '!convulsion*|crisi_epilettica|attacco_epilettico|trema_tutto + minuti|ha|figli*|bambin*|aiuto|smette|sta|terra',
    '!sangue|sanguina*|emorragia|dissangua* + tantissimo|molto|tanto|testa|ferma|smette|perde|perdendo|incinta|vomit*|toss*|ovunque|schizza|profond*|gamba|tagliat*',
    '!faccia_storta|bocca_storta|meta_faccia|viso_paralizzato|parla_strano|non_riesce_a_parlare|non_riesce_piu_a_parlare|braccio_intorpidito|non_muove_il_braccio|paralizzat*|non_sente_il_braccio|lato_del_viso|farfuglia|non_riesce_a_muovere',
    '!anafila*|shock_allergico|allergi*|vespa|vespe|ape|calabrone + gola|lingua|gonfi*|respir*|shock|viso|labbra|anafila*',
    '!labbra_blu|diventato_blu|diventata_blu|sta_diventando_blu|e_blu|cianotic*|labbra_viola',
    'contrazioni|rotte_le_acque|rotto_le_acque|partor*|travaglio + minuti|adesso|sola|aiuto|macchina|ospedale|nasc*|ora',
    '!cadut*|investit*|incidente|incastrat*|schiacciat*|precipitat* + muove|incosciente|sangue|respira|risponde|testa|ferit*|incastrat*|aiuto|scale|collo|grave|piano',
    '!annega*|folgorat*|ustion*|acqua_bollente|bruciat*|vipera|serpente|colpo_di_calore|ipotermia + bambin*|figli*|lui|lei|respira|aiuto|piscina|mano|viso|gamba|braccio|morso|pelle|mare|grave',
    'febbre|diabetic*|ipoglicemia|asma|meningite + incosciente|convuls*|non_si_sveglia|non_risponde|inalatore|respir*|confus*|macchie|rigid*',
    '!incendio|va_a_fuoco|casa_in_fiamme|fuoco_in|fumo_ovunque|in_fiamme + adesso|bloccat*|aiuto|casa|cucina|appartamento|dentro|bambini|palazzo',
    '!diventat*_viola|diventat*_blu|diventa_viola|e_viola',
    '!male_il_petto|male_petto|fa_male_al_petto',
    '!sta_partorendo|sto_partorendo|bambino_sta_uscendo|esce_la_testa',
    '!non_sente_le_gambe|non_sento_le_gambe|non_muove_le_gambe',
  ],
  violence: [
    '!picchia|picchiando|picchiat*|menando|mena|strangol*|violent*|stupr*|aggred*|aggredit*|minaccia*|accoltell*|attacc*|colpisce|schiaffegg*|rapina*|rapinando|botte + mi|ci|mia|madre|mamma|moglie|vicina|qualcuno|sorella|me|lo|la|uno|una|persone + marito|compagno|ex|fidanzato|padre|lui|uomo|adesso|aiuto|tizio|fratello|vicino|stanno|sta|hanno|ha|stazione|strada|patrigno',
    '!uccidermi|ammazzarmi|ucciderci|mi_uccide|mi_ammazza|ammazzarla|ucciderla|uccidere_tutti + lui|marito|ex|compagno|dice|minaccia|vuole|padre|detto|uomo|fidanzato|aiuto',
    '!uomo|tizio|qualcuno|tipo|ragazzo|individuo|vicino|donna|ex|persona + pistola|coltello|arma|machete|ascia|armato|fucile|bomba|armata + con|c|ha|minaccia*|entrato|fuori|strada|dentro|punta|sta',
    '!sfondando|sfonda|rompendo|buttando_giu|calci|prendendo_a_calci|forzando + porta|finestra + ex|marito|qualcuno|lui|aiuto|paura|uomo|mio',
    '!spari|sparatoria|stanno_sparando|sta_sparando|ostagg*|rapit*|mi_stanno_rapinando|ladr*|entrati_in_casa|qualcuno_in_casa|intruso|sequestr* + adesso|aiuto|casa|dentro|scuola|strada|qui|nascost*|sento|ci|sono|centro|in|sono_in',
    '!chius*|non_mi_lascia_uscire|non_mi_fa_uscire|non_mi_lascia_andare|mi_segue|mi_sta_seguendo|mi_insegue|nascost*|temo_per_la_mia_vita|paura_per_la_mia_vita|sono_in_pericolo|rinchius* + marito|compagno|ex|lui|uomo|aiuto|fidanzato|paura|bagno|qualcuno|pericolo|padre|vita|casa',
    '!uno_con_un_coltello|uno_con_una_pistola|uno_armato|gente_armata|uno_col_coltello',
    '!urla|grida + ammazzando|picchiando|botte|aiuto',
    '!qualcuno_cerca*|qualcuno_sta|stanno_cercando|qualcuno_prova*|uomo_cerca* + entrare_in_casa|forzare_la_porta|entrare_da_me',
    '!mi_seguono|ci_seguono|ci_segue|mi_stanno_seguendo + uomini|uomo|tizi|tizio',
    '!ci_ha_chius*|mi_ha_chius*|ci_tiene_chius* + fucile|pistola|coltello|arma|marito|padre|patrigno|ex|compagno|casa',
  ],
  never:
    'computer_non_risponde|sito_non_risponde|corsi_di_primo_soccorso|corso_di_primo_soccorso|statistic*|quanti_casi|quanti_decessi|numero_di|anni_fa|film|romanzo|serie_tv|gioco|videogioco|escape_room|espressione|modo_di_dire|spettacolo|ahah*|morto_dal_ridere|ammazza_che',
  unless:
    'contribut*|studio|ricerca|tesi|corso|corsi|formazione|assicurazione|risarcimento|domanda|modulo|certificato|patente|dichiarare|link|pagina|sito|processo|server|scadenza|parcheggio|orari*|archivio|museo|mostra|prevenzione|legge|pena|opuscolo|manifesto|anno_scorso|pensione|biglietti|concerto|festa|festival|storia|associazion*|fattura|rimborso|regole|permesso|consentito|rapporto|conferenza|coda|telefono|computer|batteria_scarica|app|invalidita|copre|centro_antiviolenza|nel_2*|nel_1*|piscina_aperta|tari',
  misspelt:
    'suicidarmi uccidermi ammazzarmi pastiglie candeggina respira svenuto convulsioni sangue coltello pistola picchia strangola avvelenato intossicato ingoiato bevuto infarto soffocando aggredendo minaccia detersivo veleno',
}
