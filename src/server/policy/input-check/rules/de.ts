import type { AttackRules } from '../attack-rules.ts'

const IGNORE =
  'ignorier|ignoriere|ignorieren-sie|vergiss|vergessen-sie|missachte|missachten-sie|uberschreibe|umgehe|umgeh|verwirf|ubergehe|setz_ausser_kraft|losch|losche|halte_nicht_an|wirf_weg|streich|streiche|blende_aus|schalte_ab|setze_zuruck|kummer_nicht|scher_nicht|hor_nicht_auf|befolg_nicht|verlasse|befolge_nicht_mehr|pfeif_auf|lass_weg'
const PRINT =
  'zeig|zeige|zeigen-sie|gib|geben-sie|drucke|wiederhol*|nenne|nenn|verrat*|verrate|liste|schreib*|ubersetz*|fass*|sag|sage|wie-lauten|wie-lautet|was-steht|was-sind|was-ist|offenbar*|enthull*|kopier*|zitier*|poste|wiedergeben|ausgeben'
const FREE =
  'ohne_filter|ohne_regeln|ohne_einschrankungen|ohne_beschrankungen|ohne_grenzen|ohne_moral|ohne_zensur|ohne_ethik|keine_regeln|keine_filter|keine_grenzen|keine_einschrankungen|keine_moral|unzensiert*|ungefiltert*|uneingeschrankt*|unmoralisch*|boser_zwilling|bosen_zwilling|bose_ki|bosartige_ki|alles_verrat|nie_ablehn*|niemals_ablehn*|jailbreak*|keine_beschrankungen'

export const DE: AttackRules = {
  override: [
    `${IGNORE} + bisherigen_anweisungen|vorherigen_anweisungen|fruheren_anweisungen|vorigen_anweisungen|obigen_anweisungen|alle_anweisungen|alle_regeln|alle_vorgaben|alle_richtlinien|alle_instruktionen|alle_beschrankungen|deine_anweisungen|deine_regeln|deine_vorgaben|deine_richtlinien|deine_instruktionen|deine_einschrankungen|deine_programmierung|deine_filter|ihre_anweisungen|ihre_vorgaben|ihre_richtlinien|ihre_instruktionen|vorherigen_regeln|bisherigen_regeln|vorherigen_befehle|bisherigen_vorgaben|in_deinem_prompt|systemprompt|alles_bisher|alles_oben|alles_vorher_gesagt_wurde|alle_vorherigen|alle_bisherigen|sicherheitsregeln|sicherheitsvorgaben`,
    'deine_anweisungen|deine_vorgaben|deine_befehle|was-man-dir|was_dir_gesagt|alles-was-man-dir|alles_dir_gesagt|alles-was-du-bisher|dein-prompt|dein-systemprompt|vorgaben_betreibers + zahlt_nicht|zahlen_nicht|gilt_nicht|gelten_nicht|ist_ungultig|sind_ungultig|ist_hinfallig|sind_hinfallig|nicht-mehr|war_ein_test|vergiss|vergessen|ignorier*|egal + du|dir|dein|deine|ab-jetzt|jetzt',
    'vergiss|ignorier|ignoriere|missachte + wer-du-bist|was-du-bist|dass-du_assistent|deine_rolle|deine-aufgabe|deinen-betreiber|deinen-auftrag|was-man-dir|was_dir_gesagt|was_dir_aufgetragen|alles-vorherige|alles-davor|den-text-oben|alles-obige',
    'ab-jetzt|ab-sofort|von-nun-an|neue-regel|neue-anweisung|neue-regeln + ohne_einschrankungen|ohne_beschrankungen|ohne_filter|ohne_zensur|keine_regeln|keine_filter|nie_ablehnen|gehorch*|alles_tun|uneingeschrankt|ungefiltert|nichts_ablehnen|niemals_nein',
    'deine_anweisungen|deine_regeln|deine_vorgaben|deine_filter|sicherheitsregeln|sicherheitsvorgaben|deine_richtlinien|deine_beschrankungen|inhaltsfilter|sicherheitsfilter + ausgesetzt|aufgehoben|deaktiviert|ungultig|abgeschaltet|ausser-kraft|gelten_nicht_mehr|geloscht|ausgeschaltet|nicht_mehr',
    'du_nicht_mehr|du-bist-frei|du-hast-keine|du_brauchst_keine|du_musst_keine + regeln|einschrankungen|vorgaben|filter|beschrankungen|richtlinien|grenzen',
  ],
  role_play: [
    `du-bist-jetzt|du-bist-nun|du-bist-ab|tu-so|tue-so|stell-dir-vor_du|spiel|spiele|spielen-wir|verhalte-dich|antworte-als|handle-als|agiere-als|rolle|rollenspiel|als-warst-du|ab-jetzt|sei-ein|sei-eine|ab-sofort|nimm_an_du + ${FREE}`,
    'du-bist-jetzt|du-bist-nun|du-heisst-jetzt + *gpt|dan',
    'entwicklermodus|developer-mode|gottmodus|adminmodus|debugmodus|wartungsmodus + du|dir|deine|antworte*|aktiviere|wechsle|starte|regeln|sicherheitsregeln|konfiguration',
  ],
  system_prompt: [
    `!${PRINT} + deinen_systemprompt|dein_systemprompt|deinen_prompt|in-deinem-prompt|dein-prompt|deinen_system-prompt|deine_systemanweisung*|deine_geheimen|deine_versteckten|deine_internen_anweisungen|deine_internen_regeln|deine_ursprunglichen_anweisungen|deine_anfanglichen|ihren_systemprompt|ihren_system-prompt|deine_konfiguration|ihre_internen_anweisungen|deines_systemprompts|deine_system-anweisungen|den_systemprompt|deinen_kompletten_prompt`,
    `${PRINT} + anweisungen|vorgaben|instruktionen|regeln + geheimen|versteckten|wortlich|wort-fur-wort|vor_dieser_nachricht|vor_meiner_nachricht|vor_unserem_gesprach|internen + dir|deine|du|dein`,
    'gib|zeig|zeige|wiederhol*|ubersetz*|druck* + alles-was|text_oben|alles_oben|text_uber + vor_dieser|vor_meiner|oberhalb|uber_dieser|uber-dieser-zeile|wortlich|gesagt_wurde_bevor',
    'gib|zeig|verrat* + konfiguration|systemprompt + aus|an|mir|komplett|vollstandig|wartungsmodus|sicherheitsregeln',
    'welche-anweisungen|welche-vorgaben|welche-instruktionen|welche-befehle|was-hat-man-dir|was-hat-der-betreiber|was_wurde_dir|wie-wurdest-du|was_dir_betreiber + gegeben|aufgetragen|erhalten|bekommen|instruiert|konfiguriert|vorgegeben|mitgegeben|eingestellt + du|dir',
    'gib|zeig|zeige|nenne|wiederhol*|lies|kopiere|zitier* + deinen_kontext|dein_kontextfenster|anfang-dieses-gesprachs|anfang_des_gesprachs|text_vor_meiner|ersten_satz_deiner|erste_zeile_deiner|deine_anweisungen|deine_instruktionen|deine_vorgaben + vollstandig|komplett|wortlich|eins-zu-eins|vorlesen|aus|wieder|codeblock|genau',
    'dein-entwickler|dein-schopfer|dein-administrator|dein-betreiber|habe-dich-programmiert|habe-dich-entwickelt + befehl*|gib|zeig*|prompt|konfiguration|deaktivier*|schalt*',
  ],
  document: [
    '!hinweis-an-die-ki|an-die-ki|hinweis-fur-die-ki|hinweis-an-ki|an_den_assistenten|an-das-sprachmodell|ki-die-das-liest|fur-die-ki|anweisung_an_ki|ki-assistent* + missachte|ignoriere|ignorier|vergiss|empfiehl|empfehle|bewerte|antworte|sag|sage|gib|sende|verrate|befolge',
  ],
  suppression: [
    'du-darfst-nicht-ablehnen|du_darfst_nicht_verweigern|du-musst-antworten|du-darfst-keine-antwort-verweigern|lehne_nicht_ab|ohne-moralpredigt|ohne-warnhinweise|ohne-belehrung|keine-moralpredigt + wie|anleitung|erklar*|schritt*|ohne|rein|fiktiv|du',
    'beginne_antwort_mit|fang_antwort_an|starte_antwort_mit + klar|gerne|naturlich|selbstverstandlich|sicher + wie|anleitung|schritt*|erklar*',
  ],
  harmful: [
    'wie|anleitung|schritt* + rohrbombe*|napalm|sprengsatz|sprengstoff|molotow*|crystal-meth|methamphetamin|nervengas|erpressungstrojaner|schadsoftware|phishing-mail + baue|bauen|baut|herstell*|koche|kocht|kochen|mische|schreib*|programmier*|bastel*|mache|macht',
    'wie|anleitung|schritt* + falscht|falsche-ich|falschen|nachmach* + ausweis*|parkausweis*|pass|reisepass|aufenthaltstitel|geldschein*|unterschrift*|fuhrerschein*|rezept*|urkunde*',
  ],
  encoded: [
    'entschlussel*|dekodier*|decodier*|base64|rot13|morse|jedes-zweite-wort|anfangsbuchstaben + befolg*|fuhre_aus|gehorch*|tu_was-da-steht',
  ],
  never:
    'ich-ignoriere|losche-ich|umgehe-ich|wir-ignorieren|darf-ich|kann-ich|muss-ich|soll-ich|nachbar*|vermieter*|mieter*|erkenn*|schutz*|melde*|anzeig*|gemeldet|museum|ausstellung|gefunden|fund|weltkrieg|handy|smartphone|bekommen|erhalten|was_bedeutet|was-ist-eine|brief|verbot*|strafe|entsorg*|gefalschte*',
}
