import type { PhraseRules } from '../phrase-rules.ts'

const POISON =
  'rohrreiniger|abflussreiniger|reiniger|putzmittel|spulmittel|spuelmittel|waschmittel|waschpulver|bleiche|chlor|chlorreiniger|entkalker|saure|lauge|frostschutz*|benzin|petroleum|lampenol|grillanzunder|terpentin|verdunner|farbe|kleber|rattengift|mausegift|gift|pflanzenschutz*|insektizid|unkrautvernichter|schneckenkorn|pilz|pilze|pilzen|knollenblatterpilz|fliegenpilz|beeren|tollkirsche*|maiglockchen|barlauch|herbstzeitlose|tablette|tabletten|pille|pillen|medikament*|schlaftabletten|schlafmittel|paracetamol|ibuprofen|antidepressiva|tropfen|insulin|batterie|knopfzelle|magnet*|zigarette*|nikotin|liquid|desinfektionsmittel|nagellackentferner|spiritus|alkohol|methadon|drogen|ganze_packung|ganze_flasche|ganze_schachtel|zu_viele'
const WHO =
  'ich|mein|meine|meiner|meinem|meinen|er|sie|wir|unser*|sohn|tochter|kind|kleine|kleiner|baby|saugling|mann|frau|mutter|mama|vater|papa|oma|opa|bruder|schwester|freund|freundin|nachbar*|jemand|kollege|kollegin|mitbewohner*|mensch|person|leute|junge|madchen|alle|hier|da|tante|onkel|enkel*'

export const DE: PhraseRules = {
  self_harm: [
    '!bring_mich_um|bringe_mich_um|bring_mich_jetzt_um|mach_jetzt_schluss|mache_jetzt_schluss|mache_schluss|mach_schluss|schluss_mache|schluss_machen + ich|leben|heute|jetzt|alles|abend|nacht',
    '!was_antun|etwas_antun|was_anzutun|etwas_anzutun|was_angetan|etwas_angetan|sich_was_an|sich_etwas_an + sich|mir|sie|er|angst|will|konnte|freundin|freund|tochter|sohn',
    '!braucht_mich|vermisst_mich|nicht_mehr_da|nicht_mehr_auf_der_welt|ohne_mich + niemand|keiner|besser|bald|morgen|welt|alle',
    '!hoffnungslos|sinnlos|kein_ausweg|keine_kraft_mehr|keine_hoffnung + leben|sterben|ende|tot|beenden|tabletten|schluss',
    '!umbringen|umbringe|umbringt|bring*_um_mich|bringe_mich|bringt_sich|tote*|erhang*|erschiess*|ertrank*|vergift* + mich|sich + will|werd*|moch*|heute|gleich|jetzt|geschrieben|sagt|droht|nicht|konnte|gesagt|sonst|wollt*|um|versucht|ich',
    '!nicht_mehr_leben|nicht_mehr_weiterleben|nimmer_leben|nicht_mehr_aufwachen|nie_mehr_aufwachen|nie_wieder_aufwachen|sterben_will|will_sterben|mochte_sterben|moechte_sterben|will_tot_sein|ware_lieber_tot|lieber_tot|leben_beenden|meinem_leben_ein_ende|leben_nehmen|das_leben_nehmen|mach_schluss_mit_dem_leben|suizidgedanken|suizidal|selbstmordgedanken|selbstmord_begehen|suizid_begehen|selbstmord_machen|suizidversuch|selbstmordversuch|abschiedsbrief*|abschiedsnachricht|aus_dem_leben_scheiden|ohne_mich_besser|niemand_vermissen|keinen_ausweg|nicht_mehr_da_sein|lebensmude|mache_ich_schluss|mach_ich_schluss|heute_ist_schluss|es_beenden|alles_beenden|will_nur_noch_sterben',
    '!spring*|sturz*|runterspring*|geht_vom + brucke|dach|balkon|fenster|zug|hochhaus|gleis*|turm|runter',
    '!steht|sitzt|stehe|sitze|bin|ist + brucke|dach|gelander|gleis*|balkonbrustung|dachkante|balkon + spring*|verabschiedet|weint|tschuss|schluss|angst|runter|will',
    '!ritze|ritzt|ritzen|schneide|schneidet|aufgeschnitten|pulsadern + mich|sich|arme|arm|pulsadern|unterarm|handgelenk*',
    '!tabletten|strick|seil|messer|waffe|pistole|rasierklinge|pillen + vor_mir|sinn|bereit|schluss|tschuss|lebt_wohl|verabschied*|nicht_mehr|hals',
    'keinen_sinn_mehr|kein_sinn_mehr|kann_nicht_mehr|halte_es_nicht_mehr_aus + leben|tabletten|schluss|sterben|brucke|tschuss|allein|ende|niemand|heute_nacht',
    '!verabschiedet|lebwohl|leb_wohl|lebt_wohl + handy|eingeschlossen|messer|erreich*|tabletten|fur_immer|allen|brucke|weg',
  ],
  poisoning: [
    '!gemischt|vermischt|zusammengekippt + chlor*|reiniger|essig|bleiche|ammoniak|entkalker|domestos + lunge|brennt|husten|luft|augen|schwindel*|ubel|atmen|hals|jetzt',
    '!ausgetrunken|leergetrunken|leer_getrunken|aufgegessen|im_mund|in_den_mund|gelutscht|probiert + hustensaft|sirup|saft|flasche|packung|batterie|knopfzelle|tablette*|reiniger|gift|beere*|pilz*|magnet*|medikament*|parfum|ol',
    '!schlafmittel|tabletten|pillen|tropfen + zu_viel|zuviel|alle_auf|ganze|leer|schachtel + sie|er|mutter|vater|freund*|oma|opa|schlaft|wach*|mann|frau|ich|tochter|sohn',
    `!getrunken|trinkt|trank|verschluckt|geschluckt|schluckt|runtergeschluckt|gegessen|eingenommen|genommen|gefuttert|abgeleckt|eingeatmet|inhaliert|gespritzt|geschnupft|erwischt + ${POISON} + ${WHO}`,
    `!uberdosis|ueberdosis|uberdosiert + ${WHO}`,
    'vergiftet|vergiftung + ich|mich|kind|hat|sind|haben|glaube|jetzt|verdacht|uns|bin|er|sie',
    '!kohlenmonoxid|co_melder|gasgeruch|riecht_nach_gas|gas_ausgetreten|riecht_gas + schwindel*|kopfweh|kopfschmerz*|ubel|wohnung|haus|kuche|jetzt|alle|stark|piept',
    '!schaum_vor_dem_mund|schaum_mund|kotzen_alle|kotzt_alle',
  ],
  acute_illness: [
    '!brennts|brennt_es|es_brennt|flammen|feuer + haus|wohnung|raus|kuche|dach|keller|hilfe|kinder|nachbar*|treppenhaus|balkon|wir|uns',
    '!atmet_komisch|atmet_schwer|atmet_schlecht|atmet_ganz|schwer_luft|schlecht_luft|kaum_luft|wenig_luft|luft_mehr|nach_luft',
    '!blutet_doll|blutet_ganz|blutet_wie|blutet_total|blutet_nicht_auf|finger_ab|abgeschnitten|abgetrennt|abgerissen|tief_geschnitten|aufgeschlitzt + finger|hand|bein|arm|kopf|doll|stark|nicht|sage|mann|frau|kind|er|sie|ich',
    '!kopf_gestossen|kopf_angeschlagen|auf_den_kopf|kopf_gefallen|vom_wickeltisch|die_treppe_runter|vom_dach|vom_pferd|von_der_leiter + erbricht|bricht|ubergibt|bewusst*|schlafrig|schlaft|komisch|blut*|weint_nicht|reagiert|bewegt|verwirrt',
    '!liegt_am_boden|liegt_auf_dem_boden|liegt_da|auf_dem_boden + antwortet|reagiert|bewegt|ruhrt|atmet|blut|wach|kalt|ansprechbar|zuckt',
    '!seh_doppelt|sehe_doppelt|sieht_doppelt|kann_nicht_mehr_laufen|arm_nicht_mehr|bein_nicht_mehr|halbe_gesicht|gesicht_schief|spricht_undeutlich|redet_wirr|wirres_zeug',
    '!schmerzen_im_brustkorb|schmerzen_in_der_brust|starke_brustschmerzen|druck_im_brustkorb|linken_arm + schlecht|ubel|luft|schwitzt|schweiss|angst|arm|stark*|kalt',
    '!atmet_nicht|atmet_nimmer|atmet_kaum|nicht_atmen|keine_luft|kriegt_keine_luft|bekommt_keine_luft|bekomme_keine_luft|krieg_keine_luft|kriege_keine_luft|luftnot|atemnot|nicht_mehr_atmen|rochelt|schnappt_nach_luft|atmung_aus',
    '!brustschmerz*|schmerzen_brust|schmerz_brust|brust_tut_weh|druck_auf_der_brust|stechen_brust|enge_brust|brustenge|brust_druckt|zieht_arm_brust|herzschmerzen|brust_weh',
    `herzinfarkt|schlaganfall|herzstillstand + glaube|gerade|jetzt|hat_einen|verdacht|hilfe|denke|vermut*|ich_hab|konnte + ${WHO}`,
    `!bewusstlos|ohnmachtig|umgekippt|zusammengebrochen|kollabiert|nicht_ansprechbar|reagiert_nicht|wacht_nicht_auf|nicht_wach|wird_nicht_wach|nicht_aufwecken|bewegt_sich_nicht|kein_puls|keinen_puls|ohne_bewusstsein|bewusstsein_verloren|nicht_mehr_ansprechbar|leblos + ${WHO}`,
    '!krampft|krampfanfall|krampfe_am_ganzen|epileptisch*|zuckt_am_ganzen|anfall + kind|er|sie|seit|minuten|hilfe|hort_nicht|baby|sohn|tochter|mann|frau|jetzt|gerade|boden',
    '!blutet|blut|blutung|verblutet + stark|viel|hort_nicht|nicht_auf|uberall|kopf|spritzt|schlimm|heftig|verliert|lache|stillen|schwanger|erbricht|hustet|tief*|hals|bein',
    '!mundwinkel|gesicht_hangt|gesichtshalfte|halbseitig*|gelahmt|lallt|redet_komisch|spricht_komisch|verwaschen*|nicht_mehr_sprechen|kann_nicht_sprechen|arm_nicht_heben|arm_taub|taub_arm|arm_nicht_mehr_bewegen|sieht_nichts_mehr|linke_seite|rechte_seite + plotzlich|auf_einmal|hangt|nicht|taub|lallt|gerade|hilfe|komisch|verwaschen*|mutter|vater|mann|frau',
    '!anaphyla*|allergisch*_schock|zunge_schwillt|hals_schwillt|hals_zu|zugeschwollen|schwillt_an|gesicht_schwillt|wespenstich|bienenstich + luft|atmen|schwillt|zunge|hals|hilfe|gerade|gesicht|anaphyla*|geschwollen',
    '!blau_angelaufen|lippen_blau|lauft_blau|wird_blau|ganz_blau|blaue_lippen|grau_im_gesicht|aschfahl',
    '!erstickt|verschluckt_sich|verschluckt|erstickungs* + luft|gerade|blau|hilfe|atmet|hustet|baby|kind|bekommt',
    'fruchtblase|wehen|presswehen|geburt_beginnt|baby_kommt + jetzt|minuten|allein|hilfe|krankenwagen|kommt|taxi|was',
    '!gesturzt|gefallen|sturz|uberfahren|angefahren|unfall|eingeklemmt|runtergefallen|verschuttet + bewegt|atmet|blutet|bewusstlos|kopf|ansprechbar|eingeklemmt|verletzt|nicht_auf|hilfe|treppe_runter_und|genick|schwer',
    '!ertrinkt|ertrunken|aus_dem_wasser|stromschlag|verbruht|verbrannt|kochendes_wasser|heissem_wasser|schlangenbiss|kreuzotter|von_einer_schlange|hitzschlag|unterkuhlt + kind|er|sie|ich|mein*|hilfe|gerade|haut|arm|hand|bein|atmet|was',
    'fieber|unterzuckert|asthmaanfall|hirnhaut*|nackensteif* + schlaff|apathisch|nicht_wach|reagiert|bewusstlos|krampft|spray|luft|verwirrt|ausschlag',
    '!es_brennt|brennt_bei|haus_brennt|wohnung_brennt|kuche_brennt|feuer_in|uberall_rauch + jetzt|hilfe|uns|eingeschlossen|raus|rauch|wohnung|kinder|im|bei',
  ],
  violence: [
    '!umzubringen|zu_toten|totzuschlagen|abzustechen|fertig_zu_machen + mich|uns|droht|gedroht|sie|will|ex|mann',
    '!prugeln|schlagen|treten|einschlagen|einpruegeln|losgegangen|gehen_auf + drei|mehrere|leute|typen|manner|gruppe|jugendliche|auf_einen|auf_ihn|auf_einen_ein|boden|jemand*|sich',
    '!einzubrechen|reinzukommen|in_meine_wohnung|in_unser_haus|im_garten_steht|ums_haus|an_der_tur_zu_schaffen + jemand|versucht|manner|einer|fremd*|leute|gerade|hilfe|sind',
    '!werde_verfolgt|wurde_vergewaltigt|bin_vergewaltigt|vergewaltigt_worden|fasst_mich_an|angefasst|belastigt_mich|hat_mich_gewurgt|hat_mich_geschlagen|wurde_zusammengeschlagen|wurde_angestochen|niedergestochen|angeschossen|schlagerei|messerstecherei',
    '!wird_geschossen|jemand_schiesst|wurde_geschossen|schusse_gehort|knallt_und_schreie + schule|strasse|hier|park|nachbar*|draussen|in|gerade|ich|club|uni',
    '!schlagt|pruegelt|prugelt|wurgt|tritt|verpruegelt|verprugelt|vergewaltigt|misshandelt|bedroht|sticht|greift_an|bedroht_mich|packt|schubst|geschlagen|gewurgt|angegriffen|uberfallen|zusammengeschlagen|vergewaltigen + mich|uns|meine|meinen|sie|ihn|kinder|mama|mutter|nachbarin|jemand*|leute|frau + gerade|jetzt|mann|freund|ex|vater|er|hilfe|wieder|partner|stiefvater|bruder|typ|eingeschlossen|messer|kerl|wird|werde|wurde|angst|einer',
    '!umbringen|bringt_mich_um|abstechen|totet_mich|toten|erschiessen|abknallen + er|ex|mann|freund|vater|bruder|nachbar|typ|gesagt|sagt|droht|will|alle|sie|jemand',
    '!messer|waffe|pistole|gewehr|axt|machete|schusswaffe|bewaffnet*|bombe + mann|typ|einer|jemand|kerl|steht|hat|mit|bedroht|schule|strasse|haus|laden|drausen|treppenhaus|ex|frau + mit|hat|bedroht|steht|fuchtelt|rennt|lauft|zieht|ist|halt',
    '!tritt|schlagt|hammert|bricht + tur|tuer|fenster|wohnungstur + ein|auf|ex|er|jemand|hilfe|angst|gerade|mann',
    '!schusse|geschossen|schiesst|schiesserei|amoklauf|amok|geiselnahme|einbrecher|einbruch_gerade|jemand_im_haus|jemand_in_meiner_wohnung|eingebrochen + gerade|jetzt|hilfe|hore|ich|wir|hier|im|in|drin|gefallen|noch|jemand|schule|uns',
    '!verfolgt_mich|verfolgt_uns|sperrt_mich|eingesperrt|lasst_mich_nicht_raus|lasst_mich_nicht_gehen|lasst_mich_nicht_weg|entfuhrt|festgehalten|halt_mich_fest|verstecke_mich|versteckt|im_bad_eingeschlossen|angst_um_mein_leben|todesangst|nicht_sicher + mann|er|ex|hilfe|freund|typ|jemand|angst|mich|uns|vater|kinder|ihm',
  ],
  never:
    'statistik*|wie_viele|anzahl|zahl_der|vor_jahren|jahre_her|jahren|film|filme|roman|krimi*|serie|folge|spiel|brettspiel|computerspiel|escape_room|lach_mich_tot|totgelacht|redewendung|theaterstuck|zitat|schnitzeljagd',
  unless:
    'forderung|fordermittel|zuschuss|studie|forschung|kurs|kurse|lehrgang|fortbildung|versicherung|unfallkasse|krankenkasse|entschadigung|antrag|antrage|formular|bescheinigung|ausweis|angeben|link|seite|webseite|website|prozess|server|frist|parken|parkplatz|offnungszeiten|archiv|museum|ausstellung|vorbeugung|pravention|gesetz|strafe|broschure|flyer|gemeldet|letztes_jahr|vergangenen_jahr|rente|fuhrerschein|karten|eintritt|konzert|fest|geschichte|verein|rechnung|erstattung|regeln|erlaubt|darf_ich|genehmigung|bericht|drucker|handy_tot|akku|software|computer|lesung|vortrag|gedenk*|spende*|wartezeit|warteschlange|dinner|zahlt|beim_umzug|frauenhauser|stelle|beratungsstelle',
  misspelt:
    'selbstmord suizid umbringen tabletten vergiftet bewusstlos herzinfarkt schlaganfall getrunken verschluckt geschluckt atmet krampft messer pistole eingebrochen blutet brustschmerzen eingeschlossen rohrreiniger erstickt schlagt',
}
