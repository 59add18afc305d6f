import type { LanguageRules } from './language-rules.ts'

const UNITS =
  'null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn achtzehn neunzehn'.split(
    ' ',
  )
const TENS = 'zwanzig dreissig vierzig funfzig sechzig siebzig achtzig neunzig'.split(' ')

function numbers(): Map<string, number> {
  const words = new Map(UNITS.map((word, value) => [word, value]))
  for (const word of ['eins', 'eine', 'einen', 'einem', 'einer']) words.set(word, 1)
  words.set('zwo', 2)
  for (const [index, ten] of TENS.entries()) {
    words.set(ten, (index + 2) * 10)
    for (const [unit, word] of UNITS.slice(1, 10).entries()) words.set(`${word}und${ten}`, (index + 2) * 10 + unit + 1)
  }
  for (const [value, word] of UNITS.slice(1, 10).entries()) words.set(`${word}hundert`, (value + 1) * 100)
  return words
}

const TAX = '(?:mehrwertsteuer|mwst\\.?|umsatzsteuer|ust\\.?|steuern?)'
const PEOPLE = '(?:personen|leute|leuten|freunde|freunden|menschen|kopfe|gaste|kinder|kindern|kollegen)'

export const GERMAN: LanguageRules = {
  language: 'de',
  markers:
    'der die das den dem ist sind war und oder aber wie was wann wo wer warum wieso welche welcher welches wieviel viel viele ich du mein meine meinen ' +
    'nicht ein eine einen kann kannst konnen es auf mit von zu zum zur fur bitte danke heute morgen gestern wird werden hier uber lange gibt tage ' +
    'wochen zwischen bis seit vor nach mal durch geteilt prozent uhr spat halfte doppelte ihr euch ja nein hallo guten auch noch mehrwertsteuer rabatt ' +
    'meile meilen seemeile seemeilen pfund unze unzen zoll fuss grad stunde stunden minuten sekunden jahre monate',
  openings:
    'bitte|hallo zusammen|hallo|hi|hey|moin|servus|guten morgen|guten tag|guten abend|gruss gott|also|so|ok|okay|na gut|nun|ahm|eine frage|kurze frage|mal eine frage|ich wollte mal fragen(?: ob)?|ich wollte fragen(?: ob)?|ich wurde gerne? wissen(?: ob)?|ich mochte wissen(?: ob)?|konnen sie mir sagen|konnen sie mir bitte sagen|kannst du mir sagen|kannst du mir bitte sagen|konnten sie|konnen sie|kannst du|konntest du|sag mir|sagen sie mir|weisst du|wissen sie|entschuldigung|sorry|und zwar|mich wurde interessieren',
  closings: 'bitte|danke|jetzt|genau|nochmal|eigentlich|denn|insgesamt|ungefahr|gerade|momentan|zurzeit',
  calculationLeads:
    'was ist|was sind|was macht|was ergibt|was gibt|wie viel ist|wie viel sind|wie viel macht|wie viel ergibt|wieviel ist|wieviel sind|wieviel macht|wieviel|wie viel|rechne|berechne|errechne|berechnen sie|das ergebnis von|was kostet|was bezahle ich fur',
  numbers: numbers(),
  operators: [
    ['plus|addiert mit|und dazu', '+'],
    ['minus|weniger|abzuglich', '-'],
    ['mal|multipliziert mit', '*'],
    ['geteilt durch|dividiert durch|durch', '/'],
    ['hoch', '^'],
    ['zum quadrat|im quadrat', '^2'],
    ['(?:die )?(?:quadrat)?wurzel (?:aus|von) (\\d+(?:\\.\\d+)?)', 'sqrt($1)'],
    ['(?:die )?halfte von (\\d+(?:\\.\\d+)?)', '$1/2'],
    ['(?:ein |das |1 )?drittel von (\\d+(?:\\.\\d+)?)', '$1/3'],
    ['(?:ein |das |1 )?viertel von (\\d+(?:\\.\\d+)?)', '$1/4'],
    ['(\\d) viertel von (\\d+(?:\\.\\d+)?)', '$2*$1/4'],
    ['(\\d) drittel von (\\d+(?:\\.\\d+)?)', '$2*$1/3'],
    ['dreiviertel von (\\d+(?:\\.\\d+)?)', '$1*3/4'],
    ['(?:das )?(?:doppelte|zweifache) von (\\d+(?:\\.\\d+)?)|doppelt so viel wie (\\d+(?:\\.\\d+)?)', '2*$1$2'],
    ['(?:das )?dreifache von (\\d+(?:\\.\\d+)?)', '3*$1'],
    ['(\\d+) dutzend', '$1*12'],
  ],
  arithmetic: [
    {
      pattern: `.*?{P} (?:rabatt|nachlass|ermassigung|skonto)(?: auf| von| bei)?(?: einen?| einem| den| die| das)?(?: [a-z]+)?(?: von)? ?{N}.*`,
      expression: '{2} - {1}%',
    },
    { pattern: `{N} (?:mit|abzuglich|minus|bei|weniger) {P}(?: rabatt| nachlass| ermassigung| skonto)?`, expression: '{1} - {2}%' },
    {
      pattern: `.*?{N}.{0,40}(?:reduziert|gunstiger|billiger|rabatt|runtergesetzt|heruntergesetzt|nachlass).{0,12}? {P}.*`,
      expression: '{1} - {2}%',
    },
    { pattern: `.*?{N}.{0,40}? {P} (?:rabatt|gunstiger|billiger|nachlass|weniger|reduziert).*`, expression: '{1} - {2}%' },
    { pattern: `.*?{N}.{0,40}(?:erhoht|steigt|teurer|erhohung).{0,12}? {P}.*`, expression: '{1} + {2}%' },
    { pattern: `.*?{N}.{0,40}? {P} (?:mehr|teurer|erhohung|aufschlag|zuschlag).*`, expression: '{1} + {2}%' },
    { pattern: `{N} (?:plus|zuzuglich|zzgl\\.?|und|mit|\\+) {P}(?: ${TAX}| trinkgeld| aufschlag| zinsen)?`, expression: '{1} + {2}%' },
    {
      pattern: `.*?${TAX}.{0,12}(?:steckt|stecken|enthalten|sind|ist|in).{0,12}? {N}.{0,20}? {P}.*`,
      expression: '{1} - {1} / (1 + {2}/100)',
    },
    { pattern: `.*?{P} ${TAX}.{0,12}(?:steckt|stecken|enthalten).{0,12}? {N}.*`, expression: '{2} - {2} / (1 + {1}/100)' },
    { pattern: `.*?${TAX}.{0,20}? {P}.{0,20}? {N}.{0,5}(?:enthalten|steckt|stecken).*`, expression: '{2} - {2} / (1 + {1}/100)' },
    { pattern: `{N} (?:ohne|netto bei|abzuglich der) {P}(?: ${TAX})?.*`, expression: '{1} / (1 + {2}/100)' },
    { pattern: `.*?netto.{0,20}? {N}.{0,20}? {P}.*`, expression: '{1} / (1 + {2}/100)' },
    { pattern: `{P} ${TAX} (?:auf|von) {N}`, expression: '{1}% of {2}' },
    {
      pattern: `(?:teile )?{N} (?:geteilt |aufgeteilt )?(?:durch|auf|unter|zwischen) {N}(?: ${PEOPLE})?,? (?:mit|plus|und|inkl\\w*\\.?|zuzuglich) {P}(?: ${TAX}| trinkgeld)?.{0,15}`,
      expression: '({1} + {3}%) / {2}',
    },
    {
      pattern: `(?:teile )?{N} (?:geteilt |aufgeteilt )?(?:durch|auf|unter|zwischen) {N}(?: ${PEOPLE})?(?: aufteilen| teilen)?`,
      expression: '{1} / {2}',
    },
    { pattern: `.*?{N} ${PEOPLE}.{0,40}(?:rechnung|kostet|kosten|zahlen|bezahlen|miete).{0,20}? {N}.*`, expression: '{2} / {1}' },
    { pattern: `.*?(?:rechnung|kosten|miete|betrag).{0,20}? {N}.{0,30}? {N} ${PEOPLE}.*`, expression: '{1} / {2}' },
    { pattern: `{P} trinkgeld (?:auf|von|bei|fur) {N}.{0,12}`, expression: '{1}% of {2}' },
    { pattern: `.*?trinkgeld.{0,20}? {N}.{0,20}? {P}.{0,5}`, expression: '{2}% of {1}' },
    { pattern: `(?:der )?(?:durchschnitt|mittelwert|schnitt)(?: von| aus)?:? {L}`, expression: 'average' },
    { pattern: `(?:die )?summe(?: von| aus)?:? {L}`, expression: 'sum' },
    { pattern: `(?:das )?produkt (?:von|aus) {N} und {N}`, expression: '{1} * {2}' },
    { pattern: `(?:die )?differenz (?:zwischen|von|aus) {N} und {N}`, expression: '{1} - {2}' },
    { pattern: `(?:subtrahiere|ziehe) {N} von {N}(?: ab)?`, expression: '{2} - {1}' },
    { pattern: `(?:teile|dividiere) {N} durch {N}`, expression: '{1} / {2}' },
    { pattern: `(?:multipliziere) {N} mit {N}`, expression: '{1} * {2}' },
    { pattern: `{P} (?:von|aus) {N}`, expression: '{1}% of {2}' },
    {
      pattern: `(?:wie viel|wieviel|wie viele|welcher) ?(?:%|prozentsatz)? ?(?:%)? ?(?:sind|ist) {N} von {N}`,
      expression: '{1} / {2} * 100',
      isPercentage: true,
    },
    { pattern: `(?:wie viel|wieviel|wie viele) ?% von {N} (?:sind|ist) {N}`, expression: '{2} / {1} * 100', isPercentage: true },
    { pattern: `{N} von {N} in ?%`, expression: '{1} / {2} * 100', isPercentage: true },
    { pattern: `.*?(?:von|zwischen) {N} (?:auf|zu|und) {N}.{0,12}%.*`, expression: '({2} - {1}) / {1} * 100', isPercentage: true },
    {
      pattern: `.*?(?:% ?|prozentuale )(?:veranderung|anstieg|steigerung|erhohung).{0,10} {N} (?:auf|zu|und) {N}`,
      expression: '({2} - {1}) / {1} * 100',
      isPercentage: true,
    },
    {
      pattern: `.*?{N} [a-z]+ (?:mit|zu|fur|a|je|mit je|zu je) {N}(?: [a-z]+)?(?: pro [a-z]+| je [a-z]+| das stuck)?.{0,30}`,
      expression: '{1} * {2}',
    },
  ],
  lastResult: 'das|davon|dem|daraus|dem ergebnis|das ergebnis|es|die summe',
  months:
    'januar|jan|janner februar|feb marz|mrz|maerz april|apr mai juni|jun juli|jul august|aug september|sep|sept oktober|okt november|nov dezember|dez'.split(
      ' ',
    ),
  weekdays: 'sonntag montag dienstag mittwoch donnerstag freitag samstag|sonnabend'.split(' '),
  relativeDays: { heute: 0, jetzt: 0, morgen: 1, gestern: -1, ubermorgen: 2, vorgestern: -2 },
  periodUnits: { days: 'tage?n?', weeks: 'wochen?', months: 'monate?n?', years: 'jahre?n?' },
  holidays: {
    new_years_eve: 'silvester|jahresende',
    new_year: 'neujahr|neujahrstag|neues jahr',
    epiphany: 'heilige drei konige|dreikonigstag|dreikonig',
    valentines_day: 'valentinstag',
    labour_day: 'tag der arbeit|maifeiertag',
    german_unity_day: 'tag der deutschen einheit',
    halloween: 'halloween',
    all_saints: 'allerheiligen',
    st_nicholas: 'nikolaus|nikolaustag',
    christmas_eve: 'heiligabend|heilig abend',
    christmas: 'weihnachten|1\\. weihnachtstag|erster weihnachtstag',
    shrove_tuesday: 'faschingsdienstag|fastnacht',
    ash_wednesday: 'aschermittwoch',
    palm_sunday: 'palmsonntag',
    maundy_thursday: 'grundonnerstag',
    good_friday: 'karfreitag',
    easter_monday: 'ostermontag',
    easter: 'ostersonntag|ostern',
    ascension: 'christi himmelfahrt|himmelfahrt|vatertag',
    whit_monday: 'pfingstmontag',
    pentecost: 'pfingsten|pfingstsonntag',
    corpus_christi: 'fronleichnam',
    advent: '(?:der )?(?:1\\.|erste|ersten) advent|advent',
  },
  thisYear: 'dieses jahr|in diesem jahr|heuer|diesjahrige',
  nextYear: 'nachstes jahr|im nachsten jahr|nachsten jahres',
  dateJoiner: '\\.?',
  dates: [
    {
      pattern: '(?:welcher|was fur ein) (?:wochentag|tag) (?:ist|war|wird|sein wird)(?: denn)?(?: der| am)? ?{D}(?: sein)?',
      aspect: 'weekday',
    },
    {
      pattern: '(?:auf|an) (?:welchen|welchem|was fur einen) (?:wochentag|tag) (?:fallt|fiel|ist|war)(?: der| am)? ?{D}',
      aspect: 'weekday',
    },
    { pattern: '(?:wochentag|tag) (?:vom|am|von) {D}', aspect: 'weekday' },
    {
      pattern:
        '(?:ist|war|fallt) (?:der |am )?{D} (?:auf )?(?:ein |einen )?(?:wochentag|wochenende|werktag|(?:sonn|mon|diens|donners|frei|sams)tag|mittwoch)',
      aspect: 'weekday',
    },
    {
      pattern:
        '(?:wann|an welchem (?:tag|datum)|welches datum|welcher tag)(?: ist| war| sind| wird| fallt| feiert man| haben wir)?(?: der| das| am)? ?{D}(?: sein| gefeiert)?',
      aspect: 'date',
    },
    {
      pattern:
        '(?:(?:welches|was fur ein) (?:datum|tag)|welcher tag|datum)(?: ist| war| haben wir| hatten wir| wird)?(?: denn)? ?{D}(?: sein)?',
      aspect: 'date',
    },
    { pattern: '(?:der )?{D}', aspect: 'date' },
    {
      pattern:
        '(?:wie ?viele |anzahl der |anzahl )?tage(?: sind| liegen| sind es| vergehen)?(?: es)? (?:zwischen(?: dem)?|von|vom)(?: dem)? ?{D} (?:und|bis|bis zum)(?: dem| zum)? ?{D}(?: liegen| vergehen)?',
      aspect: 'difference',
    },
    {
      pattern:
        '(?:wie lange|wie viel zeit|zeit|wie ?viele (?:wochen|monate|jahre))(?: ist es| liegen?| sind es| vergeht| dauert es)? (?:zwischen(?: dem)?|vom|von)(?: dem)? ?{D} (?:und|bis|bis zum)(?: dem| zum)? ?{D}',
      aspect: 'difference',
    },
    {
      pattern:
        '(?:wie ?viele? (?:tage|wochen|monate)|wie lange|wie weit|tage|wie oft schlafen)(?: sind es| ist es| dauert es| sind| ist| haben wir)?(?: noch)?(?: tage)? (?:bis|bis zum|bis zu|zum|zu)(?: dem| den)? ?{D}(?: noch)?',
      aspect: 'until',
    },
    {
      pattern:
        '(?:wie ?viele? (?:tage|wochen|jahre)|wie lange)(?: sind es| ist es| sind| ist)?(?: her)?(?: schon)? (?:seit)(?: dem)? ?{D}(?: vergangen| her)?',
      aspect: 'since',
    },
    {
      pattern:
        '(?:welche|in welcher|wievielte|die wievielte|was fur eine)? ?(?:aktuelle )?(?:kalenderwoche|kw|woche)(?: des jahres)?(?: haben wir| ist| sind wir| ist es| ist das| ist heute| ist gerade| jetzt| heute)*(?: des jahres)?',
      aspect: 'week',
    },
    {
      pattern: '(?:welche|in welcher|wievielte)? ?(?:kalenderwoche|kw|woche)(?: ist| war| hat| liegt)?(?: der| am| vom| fur)? ?{D}',
      aspect: 'week',
    },
    {
      pattern: 'wie alt (?:ist|bin|ware|wird|sind).{0,40}? (?:am |der |die )*{D}.{0,10}(?:geboren|geburtstag|zur welt).{0,15}',
      aspect: 'age',
    },
    {
      pattern: 'wie alt (?:ist|bin|ware|wird|sind).{0,30}?(?:geboren|geburtstag|geburtsdatum|jahrgang)(?: am| ist| ist am)? ?{D}',
      aspect: 'age',
    },
    { pattern: '.{0,20}?(?:geboren|geburtstag|geburtsdatum).{0,6} {D}.{0,6}wie alt.{0,20}', aspect: 'age' },
    { pattern: '.{0,15}?{D} geboren.{0,6}wie alt.{0,20}', aspect: 'age' },
    {
      pattern:
        '(?:(?:welches|welcher|was fur ein|wann).{0,30}?)?(?:datum |tag )?(?:ist |haben wir |ist es |wird )?in {P}(?: fur ein (?:datum|tag))?',
      aspect: 'later',
    },
    { pattern: '(?:(?:welches|welcher|was fur ein|wann).{0,30}?)?(?:ist |datum )?{P} (?:nach|ab)(?: dem)? ?{D}', aspect: 'later' },
    { pattern: '(?:(?:welches|welcher|was fur ein|wann).{0,30}?)?{D} (?:plus|\\+) {P}', aspect: 'later' },
    {
      pattern: '(?:(?:welches|welcher|was fur ein|wann).{0,30}?)?(?:datum |tag )?(?:war |war es |ist )?vor {P}(?: fur ein (?:datum|tag))?',
      aspect: 'earlier',
    },
    { pattern: '(?:(?:welches|welcher|was fur ein|wann).{0,30}?)?{P} vor(?: dem)? ?{D}', aspect: 'earlier' },
    { pattern: '(?:ist|war|wird) (?:das jahr )?{Y} (?:ein )?schaltjahr', aspect: 'leap-year' },
    { pattern: '(?:wie ?viele )?tage (?:hat|hatte|im|in|haben)(?: der)? ?{M}', aspect: 'days-in-month' },
  ],
  timeNow: [
    '(?:wie ?spat|wie ?viel uhr)(?: ist es| haben wir| ist es gerade| ist)?(?: jetzt| gerade| aktuell)*(?: in {A})?(?: jetzt| gerade| aktuell)?',
    '(?:was ist |wie ist )?(?:die )?(?:aktuelle |genaue )?uhrzeit(?: ist es)?(?: jetzt| gerade)?(?: in {A})?',
    'welche uhrzeit (?:ist es|haben wir|ist|hat man|haben sie)(?: jetzt| gerade)?(?: in {A})?',
    '(?:zeit|uhrzeit) in {A}',
    'ist es (?:schon |noch )?(?:morgen|nacht|tag|abend|mittag|nachts|spat|dunkel) in {A}',
  ],
  timeElsewhere: [
    'wenn es in {A} {T} ist,? (?:wie spat|wie ?viel uhr|welche uhrzeit)(?: ist es| ist| hat man)?(?: dann)? in {B}',
    'wenn es {T} in {A} ist,? (?:wie spat|wie ?viel uhr|welche uhrzeit)(?: ist es| ist| hat man)?(?: dann)? in {B}',
    '(?:wie spat|wie ?viel uhr|welche uhrzeit) ist es in {B},? wenn es in {A} {T} ist',
    '(?:wie spat|wie ?viel uhr|welche uhrzeit) ist es in {B},? wenn es {T} in {A} ist',
    '{T}(?: uhr)? in {A} ist wie ?viel uhr in {B}',
  ],
  timeDifference: [
    '(?:wie gross ist |was ist |wie viel ist |welche )?(?:die |der )?(?:zeitverschiebung|zeitunterschied|zeitdifferenz)(?: ist| besteht| gibt es| liegt)? (?:zwischen|von) {A} (?:und|zu|nach) {B}',
    'wie ?viele stunden(?: zeitunterschied)?(?: sind es| liegen| ist)? (?:zwischen )?{A} (?:und|hinter|vor) {B}(?: zuruck| voraus)?',
  ],
  conversions: [
    '(?:(?:rechne|wandle|konvertiere|was sind|was ist|wie viel sind|wie viel ist|wieviel sind|wieviel ist|wie lang sind|wie heiss sind|wie warm sind)\\s+)*{N}\\s*{from}\\s+(?:in|zu|nach|sind wie ?viele|sind wie ?viel|sind in)\\s+{to}(?:\\s+um)?',
    'wie ?viele?\\s+{to}\\s+(?:sind|ist|hat|haben|ergeben|entsprechen|passen in)(?:\\s+in)?(?:\\s+{N})?\\s*{from}',
  ],
  followUpLeads: 'und dann|und jetzt|und|dann|was ist mit|wie ist es mit|wie sieht es mit|wie war es mit|jetzt|aber|auch|oder|also',
  prepositions: 'in|nach|zu|fur|auf|von|am|bei|mit|bis|bis zu',
  followUps: {
    shorten:
      '(?:bitte |etwas |geht das |viel |mach es |mach das |das )*(?:kurzer|kurz|kurze version|in kurz|zu lang|kurzfassung|fass(?:e)? (?:es |das )?zusammen|zusammenfassung|in einem satz|knapper)(?: bitte| gesagt)?',
    explain:
      'warum|wieso|weshalb|warum nicht|wieso nicht|warum das|wieso das|wozu|was bedeutet das|was heisst das|wie meinst du das|ich verstehe (?:das )?nicht|versteh ich nicht|erklar(?:e)?(?: mir)?(?: das)?|hah?|was',
    doubt:
      'wirklich|echt|sicher|bist du sicher|sind sie sicher|ganz sicher|stimmt das|ist das wahr|ehrlich|im ernst|ernsthaft|quelle|quellen|das stimmt nicht|das ist falsch|falsch|glaub ich nicht|woher weisst du das',
    more: 'mehr|mehr dazu|mehr daruber|mehr details|details|mehr infos?|erzahl mehr|erzahl mir mehr|weiter|was noch|sonst noch was|genauer|ausfuhrlicher|langer|beispiel|ein beispiel|zum beispiel|und weiter',
    translate:
      '(?:bitte |kannst du (?:das )?|konnen sie (?:das )?|das |mal )*(?:(?:auf|ins|in) (?:deutsch|englisch|franzosisch|spanisch|italienisch|turkisch|arabisch|russisch|polnisch|deutsche)|ubersetz(?:e|en)?(?: (?:das|es))?(?: bitte)?(?: (?:auf|ins|in) [a-z]+)?|deutsch)(?: ubersetzen)?(?: bitte)?',
  },
  pronouns: 'es|das|dies|diese|dieses|sie|die|ihn|er|davon|dazu|damit|dafur|dort|dann|denen|dabei',
}
