import type { LanguageRules } from './language-rules.ts'

const UNITS =
  'zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(' ')
const TENS = [
  ['vingt', 20, 9],
  ['trente', 30, 9],
  ['quarante', 40, 9],
  ['cinquante', 50, 9],
  ['soixante', 60, 19],
  ['quatre-vingt', 80, 19],
  ['septante', 70, 9],
  ['huitante', 80, 9],
  ['nonante', 90, 9],
] as const

function numbers(): Map<string, number> {
  const words = new Map<string, number>()
  const set = (word: string, value: number) => {
    words.set(word, value)
    words.set(word.replaceAll('-', ' '), value)
  }
  for (const [value, word] of UNITS.entries()) set(word, value)
  set('une', 1)
  for (const [ten, value, last] of TENS) {
    set(ten, value)
    for (let unit = 1; unit <= last; unit += 1) {
      set(`${ten}-${UNITS[unit]}`, value + unit)
      if (unit === 1 || unit === 11) set(`${ten}-et-${UNITS[unit]}`, value + unit)
    }
  }
  set('quatre-vingts', 80)
  set('cent', 100)
  return words
}

const TAX = '(?:tva|taxe|taxes)'
const PEOPLE = '(?:personnes|amis|gens|convives|enfants|collegues)'

export const FRENCH: LanguageRules = {
  language: 'fr',
  markers:
    'le la les est sont etait et ou mais comment que quoi quand qui pourquoi quel quelle quels quelles combien je tu il mon ma mes moi ne pas un une des du au aux ' +
    "en convertir dans sur avec pour par svp merci bonjour c'est est-ce peut peux puis jours semaines entre jusqu'a avant apres font fois divise moitie heure demain hier aujourd'hui vous votre nous y-a-t-il reduction gratuit " +
    'milles livres onces pouces pieds degres kilometres metres litres heures secondes',
  openings:
    "s'il vous plait|s'il te plait|svp|stp|bonjour|bonsoir|salut|coucou|alors|bon|ok|d'accord|euh|une question|petite question|excusez-moi|pardon|je voudrais savoir(?: si)?|j'aimerais savoir(?: si)?|pouvez-vous me dire|peux-tu me dire|pourriez-vous me dire|pouvez-vous|peux-tu|pourriez-vous|dis-moi|dites-moi|tu peux me dire|sais-tu|savez-vous|est-ce que tu sais|donne-moi",
  closings: "s'il vous plait|s'il te plait|svp|stp|merci|maintenant|exactement|encore|environ|au total|en tout",
  calculationLeads:
    "combien font|combien fait|combien ca fait|ca fait combien|combien est-ce que font|combien coute|combien vaut|combien|qu'est-ce que|que font|que fait|quel est le resultat de|quel est|quelle est|calcule|calculer|calculez|le resultat de|c'est quoi|ca donne quoi",
  numbers: numbers(),
  operators: [
    ['plus', '+'],
    ['moins', '-'],
    ['fois|multiplie par|multiplies par', '*'],
    ['divise par|divises par|sur', '/'],
    ['puissance', '^'],
    ['au carre', '^2'],
    ['au cube', '^3'],
    ['(?:la )?racine (?:carree )?de (\\d+(?:\\.\\d+)?)', 'sqrt($1)'],
    ['(?:la )?moitie de (\\d+(?:\\.\\d+)?)', '$1/2'],
    ['(?:le |un |1 )?tiers de (\\d+(?:\\.\\d+)?)', '$1/3'],
    ['(?:le |un |1 )?quart de (\\d+(?:\\.\\d+)?)', '$1/4'],
    ['(?:les )?(\\d) quarts? de (\\d+(?:\\.\\d+)?)', '$2*$1/4'],
    ['(?:les )?(\\d) tiers de (\\d+(?:\\.\\d+)?)', '$2*$1/3'],
    ['(?:le )?double de (\\d+(?:\\.\\d+)?)', '2*$1'],
    ['(?:le )?triple de (\\d+(?:\\.\\d+)?)', '3*$1'],
    ['(\\d+) douzaines?', '$1*12'],
  ],
  arithmetic: [
    {
      pattern: `.*?{P} de (?:reduction|remise|rabais|solde|ristourne)(?: sur| de| pour)?(?: un| une| le| la| les)?(?: [a-z]+ (?:a|de))? ?{N}.*`,
      expression: '{2} - {1}%',
    },
    { pattern: `{N} (?:avec|moins|a|-) {P}(?: de (?:reduction|remise|rabais))?`, expression: '{1} - {2}%' },
    { pattern: `.*?{N}.{0,40}? {P} de (?:reduction|remise|rabais|moins).*`, expression: '{1} - {2}%' },
    { pattern: `.*?{N}.{0,40}(?:reduit|baisse|solde|remise|reduction).{0,12}? {P}.*`, expression: '{1} - {2}%' },
    { pattern: `.*?{N}.{0,40}(?:augmente|hausse|monte).{0,12}? {P}.*`, expression: '{1} + {2}%' },
    { pattern: `{N} (?:plus|avec|et|\\+) {P}(?: de)?(?: ${TAX}| pourboire| service)?`, expression: '{1} + {2}%' },
    { pattern: `(?:ajoute|ajouter|ajoutez) {P}(?: de)?(?: ${TAX})? a {N}`, expression: '{2} + {1}%' },
    {
      pattern: `.*?${TAX}.{0,14}(?:comprise|incluse|contenue|dans|y a-t-il dans).{0,12}? {N}.{0,20}? {P}.*`,
      expression: '{1} - {1} / (1 + {2}/100)',
    },
    { pattern: `{N} (?:sans|hors) (?:la )?(?:${TAX} (?:de |a )?)?{P}(?: de)?(?: ${TAX})?`, expression: '{1} / (1 + {2}/100)' },
    { pattern: `(?:la )?${TAX} (?:de |a ){P} sur {N}`, expression: '{1}% of {2}' },
    { pattern: `{P} de ${TAX} sur {N}`, expression: '{1}% of {2}' },
    {
      pattern: `(?:partager|partage|diviser|divise|repartir|partagez)(?: une addition de| l'addition de)? ?{N} (?:entre|par|en|a) {N}(?: ${PEOPLE})?,? (?:avec|plus|et) {P}.{0,20}`,
      expression: '({1} + {3}%) / {2}',
    },
    {
      pattern: `(?:partager|partage|diviser|divise|repartir|partagez)(?: une addition de| l'addition de)? ?{N} (?:entre|par|en|a) {N}(?: ${PEOPLE})?.{0,10}`,
      expression: '{1} / {2}',
    },
    { pattern: `{N} (?:partage|divise|reparti)s? (?:entre|par|en) {N}(?: ${PEOPLE})?`, expression: '{1} / {2}' },
    { pattern: `{N} (?:entre) {N} ${PEOPLE}`, expression: '{1} / {2}' },
    { pattern: `.*?{N} ${PEOPLE}.{0,40}(?:addition|facture|total|payer|note).{0,20}? {N}.*`, expression: '{2} / {1}' },
    { pattern: `.*?(?:addition|facture|total|note).{0,20}? {N}.{0,30}? {N} ${PEOPLE}.*`, expression: '{1} / {2}' },
    { pattern: `{P} de pourboire (?:sur|pour) {N}.{0,10}`, expression: '{1}% of {2}' },
    { pattern: `.*?pourboire.{0,12}? {P}.{0,12}? {N}.{0,10}`, expression: '{1}% of {2}' },
    { pattern: `(?:la )?moyenne(?: de| entre)?:? {L}`, expression: 'average' },
    { pattern: `(?:la )?somme(?: de)?:? {L}`, expression: 'sum' },
    { pattern: `(?:le )?produit de {N} et (?:de )?{N}`, expression: '{1} * {2}' },
    { pattern: `(?:la )?difference entre {N} et {N}`, expression: '{1} - {2}' },
    { pattern: `(?:soustraire|enlever|retirer|soustrais|enleve) {N} (?:de|a) {N}`, expression: '{2} - {1}' },
    { pattern: `(?:multiplier|multiplie|multipliez) {N} par {N}`, expression: '{1} * {2}' },
    { pattern: `(?:les )?{P} de {N}`, expression: '{1}% of {2}' },
    {
      pattern: `(?:quel|combien de)? ?(?:%|pourcentage) de {N} (?:represente|est|font|fait) {N}`,
      expression: '{2} / {1} * 100',
      isPercentage: true,
    },
    { pattern: `{N} sur {N} en (?:%|pourcentage)`, expression: '{1} / {2} * 100', isPercentage: true },
    { pattern: `.*?(?:de|entre) {N} (?:a|et) {N}.{0,12}(?:%|pourcentage).*`, expression: '({2} - {1}) / {1} * 100', isPercentage: true },
    {
      pattern: `.*?{N} [a-z]+ (?:a|de|avec|contenant) {N}(?: [a-z]+)? (?:chacune?|chaque|piece|l'unite|la piece|l'un|l'une).*`,
      expression: '{1} * {2}',
    },
  ],
  lastResult: "ca|cela|le resultat|le total|ce resultat|de ca|c'",
  months: 'janvier|janv fevrier|fevr mars avril|avr mai juin juillet|juil aout septembre|sept octobre|oct novembre|nov decembre|dec'.split(
    ' ',
  ),
  weekdays: 'dimanche lundi mardi mercredi jeudi vendredi samedi'.split(' '),
  relativeDays: {
    "aujourd'hui": 0,
    aujourdhui: 0,
    maintenant: 0,
    demain: 1,
    hier: -1,
    'apres-demain': 2,
    'apres demain': 2,
    'avant-hier': -2,
    'avant hier': -2,
  },
  periodUnits: { days: 'jours?', weeks: 'semaines?', months: 'mois', years: 'ans?|annees?' },
  holidays: {
    new_years_eve: 'la saint-sylvestre|saint-sylvestre|le reveillon|nouvel an reveillon|la saint sylvestre',
    new_year: "le nouvel an|nouvel an|jour de l'an|le jour de l'an",
    epiphany: "l'epiphanie|epiphanie",
    valentines_day: 'la saint-valentin|saint-valentin|la saint valentin|saint valentin',
    labour_day: 'la fete du travail|fete du travail',
    bastille_day: 'la fete nationale|fete nationale',
    halloween: 'halloween',
    all_saints: 'la toussaint|toussaint',
    st_nicholas: 'la saint-nicolas|saint-nicolas|la saint nicolas',
    christmas_eve: 'le reveillon de noel|la veille de noel|veille de noel',
    christmas: 'noel',
    shrove_tuesday: 'mardi gras',
    ash_wednesday: 'le mercredi des cendres|mercredi des cendres',
    palm_sunday: 'le dimanche des rameaux|dimanche des rameaux|les rameaux',
    maundy_thursday: 'jeudi saint',
    good_friday: 'le vendredi saint|vendredi saint',
    easter_monday: 'le lundi de paques|lundi de paques',
    easter: 'le dimanche de paques|dimanche de paques|paques',
    ascension: "l'ascension|ascension",
    whit_monday: 'le lundi de pentecote|lundi de pentecote',
    pentecost: 'la pentecote|pentecote',
    corpus_christi: 'la fete-dieu|fete-dieu|la fete dieu',
    advent: "(?:le )?(?:premier )?(?:dimanche de )?l'avent|(?:premier )?dimanche de l'avent",
  },
  thisYear: 'cette annee',
  nextYear: "l'annee prochaine|l'an prochain",
  dateJoiner: '(?: de)?',
  dates: [
    {
      pattern:
        '(?:quel|a quel|on est quel) (?:jour|jour de la semaine)(?: de la semaine)? (?:etait|est|sera|sera-t-il|tombe|tombait|tombe le|etait-ce|sommes-nous|serons-nous|etions-nous)(?: le| ce)? ?{D}',
      aspect: 'weekday',
    },
    { pattern: '(?:le )?{D} (?:est|etait|sera|tombe|tombait) (?:un )?quel jour(?: de la semaine)?', aspect: 'weekday' },
    { pattern: '(?:quel )?jour de la semaine(?: du| le)? ?{D}', aspect: 'weekday' },
    {
      pattern:
        '(?:est-ce que )?(?:le )?{D} (?:est|etait|tombe|sera) (?:un |le )?(?:week-end|weekend|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)',
      aspect: 'weekday',
    },
    {
      pattern:
        '(?:quand|a quelle date|quelle date|quel jour)(?: est| tombe| sont| a lieu| est-ce que tombe| sera| serons-nous| est-on| on est| sommes-nous| etions-nous| etait)?(?: le| la)? ?{D}',
      aspect: 'date',
    },
    { pattern: "(?:quelle est )?(?:la )?date (?:de |d')?{D}", aspect: 'date' },
    { pattern: '(?:on est|nous sommes) (?:le )?(?:combien|quel jour|quelle date) ?{D}?', aspect: 'today' },
    { pattern: '(?:le )?{D}', aspect: 'date' },
    {
      pattern:
        "(?:combien de |nombre de |le nombre de )?jours?(?: y a-t-il| il y a| separent| s'ecoulent| sont)?(?: passes)? (?:entre|du|de|depuis)(?: le)? ?{D} (?:et|au|a|jusqu'au)(?: le)? ?{D}",
      aspect: 'difference',
    },
    {
      pattern:
        "(?:combien de (?:temps|semaines|mois|ans|annees)|temps|duree)(?: y a-t-il| il y a| s'ecoule)? (?:entre|du)(?: le)? ?{D} (?:et|au)(?: le)? ?{D}",
      aspect: 'difference',
    },
    {
      pattern:
        "(?:dans )?(?:combien de (?:jours|temps|semaines|mois|dodos)|jours)(?: reste-t-il| il reste| reste| restent| y a-t-il| encore)?(?: encore)? (?:avant|jusqu'a|jusqu'au|d'ici|pour)(?: le| la)? ?{D}",
      aspect: 'until',
    },
    {
      pattern: "(?:il reste )?combien de (?:jours|temps)(?: il reste)? (?:avant|jusqu'a|jusqu'au|d'ici)(?: le| la)? ?{D}",
      aspect: 'until',
    },
    { pattern: "c'est dans combien de (?:jours|temps) {D}", aspect: 'until' },
    {
      pattern:
        '(?:combien de (?:jours|temps|semaines)|ca fait combien de (?:jours|temps))(?: se sont ecoules| sont passes)? depuis(?: le| la)? ?{D}',
      aspect: 'since',
    },
    {
      pattern:
        "(?:quel(?:le)? (?:est )?(?:le |la )?|on est |dans quelle |a quelle |en quelle )?(?:numero (?:de|de la) semaine|semaine)(?: de l'annee)?(?: sommes-nous| est-on| on est| est-ce| est-il| est la| actuelle| calendaire| en cours|,)*",
      aspect: 'week',
    },
    {
      pattern:
        '(?:quel(?:le)? (?:est )?(?:le |la )?|dans quelle )?(?:numero (?:de|de la) )?semaine(?: est| tombe| etait| correspond)?(?: le| du| au| pour le)? ?{D}',
      aspect: 'week',
    },
    { pattern: "(?:quel age (?:a|ai-je|aurait|ont|a-t-on)|age d').{0,40}?(?:nee?s?|naissance)(?: est)?(?: le)? ?{D}.{0,5}", aspect: 'age' },
    { pattern: '.{0,15}?nee?(?: le)? {D}.{0,8}quel age.{0,15}', aspect: 'age' },
    {
      pattern: '(?:(?:quelle?|quand|on sera).{0,30}?)?(?:date |jour )?(?:sera-t-il |serons-nous |sera |est |on sera )?dans {P}',
      aspect: 'later',
    },
    { pattern: '(?:(?:quelle?|quand).{0,30}?)?{P} (?:apres|a partir du|a partir de|a compter du)(?: le)? ?{D}', aspect: 'later' },
    { pattern: '(?:(?:quelle?|quand).{0,30}?)?(?:date |jour )?(?:etait-ce |etait |etait-il |etions-nous )?il y a {P}', aspect: 'earlier' },
    { pattern: '(?:(?:quelle?|quand).{0,30}?)?{P} avant(?: le)? ?{D}', aspect: 'earlier' },
    { pattern: "(?:est-ce que )?(?:l'annee )?{Y} (?:est|est-elle|est-ce|etait|sera)(?: une)? (?:annee )?bissextile", aspect: 'leap-year' },
    { pattern: '(?:combien de )?jours (?:y a-t-il |il y a )?(?:en|au mois de|compte|a|dans) ?{M}', aspect: 'days-in-month' },
  ],
  timeNow: [
    '(?:il est )?quelle heure(?: est-il| il est| est il| est-ce| a-t-on)?(?: maintenant| actuellement)?(?: (?:a|en|au|aux) {A})?(?: maintenant| actuellement)?',
    "(?:quelle est )?l'heure(?: actuelle| exacte| qu'il est)?(?: (?:a|en|au|aux) {A})?",
    'heure (?:a|en|au|aux) {A}',
    "(?:est-ce qu'il fait|fait-il|il fait|c'est) (?:deja |encore )?(?:nuit|jour|le matin|le soir) (?:a|en|au|aux) {A}",
  ],
  timeElsewhere: [
    "(?:quand|lorsqu'|s') ?il est {T} (?:a|en|au) {A},? (?:quelle heure est-il|il est quelle heure|quelle heure) (?:a|en|au) {B}",
    "(?:quelle heure est-il|il est quelle heure|quelle heure) (?:a|en|au) {B},? (?:quand |lorsqu'|s')il est {T} (?:a|en|au) {A}",
  ],
  timeDifference: [
    "(?:quel est |quelle est |c'est quoi )?(?:le |la )?(?:decalage horaire|difference d'heures?|difference horaire|decalage)(?: y a-t-il| il y a)? (?:entre|de) {A} (?:et|a) {B}",
    "combien d'heures(?: de decalage| de difference)?(?: y a-t-il)? entre {A} et {B}",
  ],
  conversions: [
    "(?:(?:convertir|convertis|convertissez|combien font|combien fait|c'est combien|ca fait combien|combien valent|combien vaut)\\s+)*{N}\\s*{from}\\s+(?:en|a|vers|font combien de|fait combien de|egale combien de|c'est combien de)\\s+{to}",
    "combien (?:de |d')\\s*{to}\\s+(?:y a-t-il dans|il y a dans|dans|font|fait|dans un|represente|valent|vaut|pour|en)(?:\\s+{N})?\\s*{from}",
  ],
  followUpLeads: "et puis|et maintenant|et|puis|alors|maintenant|qu'en est-il de|mais|ou|aussi|donc",
  prepositions: 'en|a|au|aux|pour|de|dans|avec|avant|sur',
  followUps: {
    shorten:
      '(?:un peu |fais |plus |en )*(?:plus court|court|bref|en bref|plus bref|raccourcis|resume|resume(?:r|z)?(?: ca)?|en une phrase|trop long|en resume|brievement)(?: svp| stp)?',
    explain:
      "pourquoi|pourquoi pas|pourquoi ca|comment ca|ca veut dire quoi|qu'est-ce que ca veut dire|je ne comprends pas|je comprends pas|explique(?:z)?(?: moi)?(?:-moi)?|quoi|hein",
    doubt:
      "vraiment|c'est vrai|sur|tu es sur|t'es sur|vous etes sur|es-tu sur|etes-vous sur|serieux|serieusement|c'est faux|ce n'est pas vrai|source|sources|faux",
    more: "plus|encore|plus de details|plus d'infos?|en savoir plus|dis-m'en plus|continue|continuez|et quoi d'autre|quoi d'autre|exemple|un exemple|par exemple|details|plus long",
    translate:
      '(?:tu peux |pouvez-vous |peux-tu )*(?:en (?:francais|anglais|allemand|espagnol|italien|arabe|portugais|russe)|tradui(?:s|re|t|sez)(?:-le)?(?: (?:ca|cela))?(?: en [a-z]+)?)(?: svp| stp)?',
  },
  pronouns: "ca|cela|ce|il|elle|ils|elles|le|la|les|y|en|celui|celle|c'est|l'",
}
