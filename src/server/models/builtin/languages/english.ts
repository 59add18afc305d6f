import type { LanguageRules } from './language-rules.ts'

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

function numbers(): Map<string, number> {
  const words = new Map(UNITS.map((word, value) => [word, value]))
  for (const [index, ten] of TENS.entries()) {
    const value = (index + 2) * 10
    words.set(ten, value)
    for (const [unit, word] of UNITS.slice(1, 10).entries())
      for (const joiner of ['-', ' ', '']) words.set(`${ten}${joiner}${word}`, value + unit + 1)
  }
  return words
}

const TAX = '(?:vat|v\\.a\\.t\\.|sales tax|taxes|tax|gst|mwst)'
const PEOPLE = '(?:people|persons|friends|of us|guests|ways|folks|kids|children|students|colleagues|roommates|flatmates|adults|men|women)'
const THE = '(?:a |an |the |my |our |this )?'

export const ENGLISH: LanguageRules = {
  language: 'en',
  markers:
    'the is are was were what when where who which how why do does did can could would should i my me you your it its of to and for with from at on ' +
    'many much long please thanks there this that these am be have has not any about if or days weeks between until time date today tomorrow off miles feet inches pounds ounces degrees hours minutes seconds litres gallons',
  openings:
    "please|pls|plz|hey there|hi there|hello there|hey|hi|hello|good morning|good afternoon|good evening|good day|ok so|okay so|ok|okay|so|well|now|um+|uh+|hm+|er+|sorry to bother(?: you)?|sorry|excuse me|quick question|quick one|one question|i have a question|just wondering|i was wondering(?: if)?|i wonder(?: if)?|lol|omg|yo|btw|by the way|can you please|could you please|can you tell me|could u tell me|can u tell me|could you tell me|can you calculate|can you|could you|can u|could u|would you|will you|tell me|give me|let me know|i want to know|i need to know|i would like to know(?: whether| if)?|i'd like to know(?: whether| if)?|do you know|any idea|i just want to know|i'm kinda worried|i wanna know|need to know|question",
  closings: 'please|pls|plz|thanks|thank you|thx|ty|right now|rn|then|exactly|again|lol|though|btw|in total|altogether|roughly',
  calculationLeads:
    "what's|whats|what is|what are|what does|what do i pay for|what would be|how much is|how much are|how much would be|how much does|how much do|how much|how many is|calculate|compute|evaluate|work out|solve|figure out|the result of|result of|the value of|i need|find",
  numbers: numbers(),
  operators: [
    ['plus|added to', '+'],
    ['minus|less', '-'],
    ['times|multiplied by|multiplied with', '*'],
    ['divided by|over', '/'],
    ['to the power of|raised to(?: the power of)?', '^'],
    ['squared', '^2'],
    ['cubed', '^3'],
    ['sqrt(?: of)? (\\d+(?:\\.\\d+)?)', 'sqrt($1)'],
    ['(?:the )?square root of (\\d+(?:\\.\\d+)?)', 'sqrt($1)'],
    ['(?:the )?cube root of (\\d+(?:\\.\\d+)?)', 'cbrt($1)'],
    ['factorial of (\\d+)', 'factorial($1)'],
    ['(?:a |1 )?half (?:of )?(\\d+(?:\\.\\d+)?)', '$1/2'],
    ['(?:a |1 )?quarter of (\\d+(?:\\.\\d+)?)', '$1/4'],
    ['(?:a |1 )?third of (\\d+(?:\\.\\d+)?)', '$1/3'],
    ['(?:a |1 )?(?:tenth) of (\\d+(?:\\.\\d+)?)', '$1/10'],
    ['(\\d) quarters of (\\d+(?:\\.\\d+)?)', '$2*$1/4'],
    ['(\\d) thirds of (\\d+(?:\\.\\d+)?)', '$2*$1/3'],
    ['(\\d) fifths of (\\d+(?:\\.\\d+)?)', '$2*$1/5'],
    ['(?:the )?(?:double|twice)(?: of)? (\\d+(?:\\.\\d+)?)', '2*$1'],
    ['(?:the )?(?:triple|thrice)(?: of)? (\\d+(?:\\.\\d+)?)', '3*$1'],
    ['(\\d+) dozen', '$1*12'],
    ['a dozen', '12'],
  ],
  arithmetic: [
    { pattern: `{P} (?:off|discount|reduction|reduced)(?: of| on| off| from)? ?${THE}(?:[a-z]+ )?(?:of )?{N}`, expression: '{2} - {1}%' },
    { pattern: `{N} (?:with|at|minus|less|after)(?: an?)? ?{P}(?: off| discount| reduction)?`, expression: '{1} - {2}%' },
    { pattern: `{N} (?:plus|with|and|incl\\w*|\\+)(?: an?)? ?{P} (?:${TAX}|tip|surcharge|service|interest)`, expression: '{1} + {2}%' },
    { pattern: `{N} {P} off`, expression: '{1} - {2}%' },
    { pattern: `.*?{N}.{0,40}(?:reduced|discounted|lowered|marked down|cheaper|discount|on sale).{0,12}? {P}.*`, expression: '{1} - {2}%' },
    { pattern: `.*?{N}.{0,40}? {P} (?:off|discount|reduction|cheaper|less).*`, expression: '{1} - {2}%' },
    { pattern: `.*?{P} (?:off|discount).{0,30}? {N}.*`, expression: '{2} - {1}%' },
    { pattern: `.*?{N}.{0,40}(?:increased|raised|goes up|went up|rises|rise|more expensive).{0,12}? {P}.*`, expression: '{1} + {2}%' },
    { pattern: `(?:add|plus) {P}(?: ${TAX}| tip)? (?:to|on|onto|on top of) ?${THE}{N}`, expression: '{2} + {1}%' },
    { pattern: `{N} plus {P}(?: ${TAX}| tip)?`, expression: '{1} + {2}%' },
    {
      pattern: `.*?(?:how much )?${TAX}.{0,12}(?:included|contained|inside|is there|is|are).{0,12}? {N}.{0,20}? {P}.*`,
      expression: '{1} - {1} / (1 + {2}/100)',
    },
    { pattern: `.*?{P} ${TAX}.{0,12}(?:included|contained|inside).{0,12}? {N}.*`, expression: '{2} - {2} / (1 + {1}/100)' },
    { pattern: `(?:the )?net(?: price| amount)?(?: of)? {N}.{0,20}? {P}.*`, expression: '{1} / (1 + {2}/100)' },
    { pattern: `{N} (?:without|excluding|excl\\.?|before|net of|minus the) {P} ${TAX}.*`, expression: '{1} / (1 + {2}/100)' },
    { pattern: `{P} (?:of )?${TAX} (?:on|of|for)(?: top of)? ?${THE}{N}`, expression: '{1}% of {2}' },
    {
      pattern: `(?:split|divide|share)(?: an?| the| our)?(?: bill| check| total| cost| amount)?(?: of)? ?{N} (?:between|among|by|with|across|for|in|into)(?: us)? ?{N}(?: ${PEOPLE})?,? (?:with|plus|and|incl\\w*|\\+)(?: an?)? ?{P}(?: ${TAX}| tip| service)?.{0,15}`,
      expression: '({1} + {3}%) / {2}',
    },
    {
      pattern: `(?:split|divide|share)(?: an?| the| our)?(?: bill| check| total| cost| amount)?(?: of)? ?{N} (?:with|plus|and|incl\\w*|\\+)(?: an?)? ?{P}(?: ${TAX}| tip| service)? (?:between|among|by|with|across|for|in|into)(?: us)? ?{N}.{0,25}`,
      expression: '({1} + {2}%) / {3}',
    },
    {
      pattern: `(?:split|divide|share)(?: an?| the| our)?(?: bill| check| total| cost| amount)?(?: of)? ?{N} (?:between|among|amongst|by|with|across|for|in|into|over)(?: us)? ?{N}.{0,25}`,
      expression: '{1} / {2}',
    },
    { pattern: `{N} (?:split|divided|shared) (?:between|among|amongst|by|with|in|into|over) {N}.{0,25}`, expression: '{1} / {2}' },
    { pattern: `.*?{N} ${PEOPLE}.{0,40}(?:bill|check|total|cost|costs|pay|paid|dinner|rent).{0,20}? {N}.*`, expression: '{2} / {1}' },
    { pattern: `.*?(?:bill|check|total|dinner|lunch|rent).{0,20}? {N}.{0,30}? {N} ${PEOPLE}.*`, expression: '{1} / {2}' },
    { pattern: `{P} tip (?:on|for|of|to)(?: an?| the| my)? ?(?:bill of )?{N}.{0,12}`, expression: '{1}% of {2}' },
    { pattern: `.*?\\btip\\b.{0,12}? {P}.{0,20}? {N}.{0,25}`, expression: '{1}% of {2}' },
    { pattern: `.*?\\btip\\b.{0,20}? {N}.{0,20}? {P}.{0,12}`, expression: '{2}% of {1}' },
    { pattern: `.*?{P} tip.{0,20}? {N}.{0,12}`, expression: '{1}% of {2}' },
    { pattern: `.*?{N}.{0,20}? {P} tip`, expression: '{2}% of {1}' },
    { pattern: `(?:the )?(?:average|mean|arithmetic mean)(?: value)?(?: of| from| between)?:? {L}`, expression: 'average' },
    { pattern: `(?:the )?(?:sum|total)(?: of)?:? {L}`, expression: 'sum' },
    { pattern: `add(?: up| together)? {L}`, expression: 'sum' },
    { pattern: `(?:the )?product of {N} and {N}`, expression: '{1} * {2}' },
    { pattern: `(?:the )?difference (?:between|of) {N} and {N}`, expression: '{1} - {2}' },
    { pattern: `subtract {N} from {N}`, expression: '{2} - {1}' },
    { pattern: `(?:take|take away) {N} (?:away )?from {N}`, expression: '{2} - {1}' },
    { pattern: `add {N} (?:to|and) {N}`, expression: '{1} + {2}' },
    { pattern: `divide {N} by {N}`, expression: '{1} / {2}' },
    { pattern: `multiply {N} (?:by|with|and) {N}`, expression: '{1} * {2}' },
    { pattern: `{N} more than {N}`, expression: '{2} + {1}' },
    { pattern: `{P} (?:of|from) ${THE}{N}`, expression: '{1}% of {2}' },
    {
      pattern: `(?:what|which) ?(?:%|percentage|share) of {N} (?:is|are|makes?) {N}`,
      expression: '{2} / {1} * 100',
      isPercentage: true,
    },
    {
      pattern: `(?:what|which) ?(?:%|percentage|share) is {N} (?:of|out of) {N}`,
      expression: '{1} / {2} * 100',
      isPercentage: true,
    },
    {
      pattern: `{N} (?:is|are|as)(?: what| which| a)? ?(?:%|percentage) (?:of|out of) {N}`,
      expression: '{1} / {2} * 100',
      isPercentage: true,
    },
    { pattern: `{N} (?:out of|of) {N} (?:in|as)(?: an?)? ?(?:%|percentage)`, expression: '{1} / {2} * 100', isPercentage: true },
    {
      pattern: `(?:the )?(?:%|percentage) (?:change|increase|decrease|difference|growth)(?: from| between)? {N} (?:to|and) {N}`,
      expression: '({2} - {1}) / {1} * 100',
      isPercentage: true,
    },
    {
      pattern: `.*?(?:from|between) {N} (?:to|and) {N}.{0,12}(?:in %|%|percentage).*`,
      expression: '({2} - {1}) / {1} * 100',
      isPercentage: true,
    },
    {
      pattern: `.*?{N} [a-z]+ (?:with|of|at|containing|for|costing|holding|each with|cost) {N}(?: [a-z]+)? (?:each|apiece|a piece|per [a-z]+|inside)\\b.*`,
      expression: '{1} * {2}',
    },
    { pattern: `.*?{N} [a-z]+ (?:each )?(?:cost|costs|costing) {N}(?: [a-z]+)? each.*`, expression: '{1} * {2}' },
    { pattern: `{N}th root of {N}`, expression: '{2} ^ (1 / {1})' },
  ],
  lastResult: 'that|it|this|the result|the last result|the answer|the total|the sum',
  months:
    'january|jan february|feb march|mar april|apr may june|jun july|jul august|aug september|sept|sep october|oct november|nov december|dec'.split(
      ' ',
    ),
  weekdays: 'sunday|sun monday|mon tuesday|tues|tue wednesday|wed thursday|thurs|thu friday|fri saturday|sat'.split(' '),
  relativeDays: {
    today: 0,
    "today's date": 0,
    now: 0,
    tomorrow: 1,
    yesterday: -1,
    'the day after tomorrow': 2,
    'day after tomorrow': 2,
    'the day before yesterday': -2,
    'day before yesterday': -2,
  },
  periodUnits: { days: 'days?', weeks: 'weeks?', months: 'months?', years: 'years?|yrs?' },
  holidays: {
    new_years_eve: "new year'?s eve|nye|silvester",
    new_year: "new year'?s day|new year'?s|new year|the new year",
    epiphany: 'epiphany',
    valentines_day: "valentine'?s day|valentines|valentine'?s",
    labour_day: 'labou?r day|may day',
    us_independence_day: '(?:us )?independence day|4th of july|fourth of july',
    bastille_day: 'bastille day',
    german_unity_day: 'german unity day',
    halloween: 'halloween',
    all_saints: "all saints'?(?: day)?",
    st_nicholas: 'st\\.? nicholas(?: day)?|saint nicholas(?: day)?',
    christmas_eve: 'christmas eve|xmas eve',
    christmas: 'christmas day|christmas|xmas',
    shrove_tuesday: 'shrove tuesday|mardi gras|pancake day',
    ash_wednesday: 'ash wednesday',
    palm_sunday: 'palm sunday',
    maundy_thursday: 'maundy thursday|holy thursday',
    good_friday: 'good friday',
    easter_monday: 'easter monday',
    easter: 'easter sunday|easter day|easter',
    ascension: 'ascension day|ascension',
    whit_monday: 'whit monday|pentecost monday',
    pentecost: 'pentecost|whitsunday|whitsun|whit sunday',
    corpus_christi: 'corpus christi',
    advent: '(?:the )?(?:first )?(?:sunday of )?advent(?: sunday)?',
    us_thanksgiving: 'thanksgiving(?: day)?',
  },
  thisYear: 'this year',
  nextYear: 'next year',
  dateJoiner: '(?: of|,)?',
  dates: [
    {
      pattern: "(?:what(?:'s| is)? )?(?:the )?(?:date|day)?(?: is| was| will it be| it is| is it)?(?: the date| the day)? ?{D}",
      aspect: 'date',
    },
    {
      pattern:
        '(?:what|which) (?:day|weekday|day of the week)(?: of the week)? (?:is|was|will be|does|did|will|falls?|fell)(?: it)?(?: on)? ?(?:the )?{D}(?: be| on| fall on| fall| land on| falls? on)?',
      aspect: 'weekday',
    },
    { pattern: '(?:what|which) (?:day|weekday)(?: of the week)? (?:is|was|will be) {D}', aspect: 'weekday' },
    { pattern: '(?:the )?(?:weekday|day of the week) (?:of|for|on) (?:the )?{D}', aspect: 'weekday' },
    {
      pattern:
        '(?:is|was|will|does|did) {D} (?:be )?(?:fall )?(?:on )?(?:a )?(?:weekday|weekend|working day|(?:sun|mon|tues|wednes|thurs|fri|satur)day)',
      aspect: 'weekday',
    },
    { pattern: '{D} (?:weekday|day of the week|is what day|is which day|is (?:what|which) weekday|what day)', aspect: 'weekday' },
    {
      pattern:
        "(?:when|what date|on (?:what|which) (?:date|day)|(?:what|which) day)(?:'s| is| was| will| does| did| are| do)?(?: the date of)? {D}(?: be| fall| fall on| on| celebrated| begin| start)?",
      aspect: 'date',
    },
    { pattern: '(?:the )?date (?:of|for) {D}', aspect: 'date' },
    {
      pattern:
        '(?:how many |number of |the number of |count the )?days?(?: is it| are it| are there| are| is| there are| passed| in)?(?: there)?(?: between| from)? {D} (?:and|to|until|till|-) {D}',
      aspect: 'difference',
    },
    {
      pattern:
        '(?:how (?:many (?:days|weeks|months|years)|long|far)|(?:the )?(?:difference|time|days|weeks))(?: is it| are there| is| are| passed| was| has it been| did it take| lie)?(?: there)? (?:between|from) {D} (?:and|to|until|till) {D}',
      aspect: 'difference',
    },
    {
      pattern:
        "(?:how (?:many (?:more )?(?:days|weeks|months|sleeps)|long|far away)|days|time|countdown|the days|weeks)(?: is it| are there| are left| left| is| are| do we have| remain| do i have| have i got)?(?: there)?(?: still)?(?: left)?(?: from (?:now|today))? (?:until|till|til|to|before|'til) {D}",
      aspect: 'until',
    },
    { pattern: 'how (?:far away|long) is {D}(?: away)?', aspect: 'until' },
    {
      pattern:
        '(?:how (?:many (?:days|weeks|months|years)|long)|days)(?: is it| has it been| have passed| passed| ago was| ago is| it is)?(?: since| ago was) {D}',
      aspect: 'since',
    },
    {
      pattern:
        "(?:what|which)?(?:'s| is)? ?(?:the )?(?:current )?(?:calendar |iso )?week(?: number| no)?(?: is it| are we in| of the year| do we have| is this| is today| now| it is)*(?: of the year)?",
      aspect: 'week',
    },
    {
      pattern:
        "(?:what|which|in which)?(?:'s| is)? ?(?:the )?(?:calendar |iso )?week(?: number| no)?(?: of the year)?(?: is| was| of| for| does| has)?(?: on)? ?(?:the )?{D}(?: in| fall in)?",
      aspect: 'week',
    },
    {
      pattern:
        '(?:how old|what age) (?:is|am|are|would|will)(?: [a-z ]{1,30}?)?(?: be)?(?: if| when| who)?.{0,30}?born(?: on)?(?: the)? {D}.{0,12}',
      aspect: 'age',
    },
    {
      pattern:
        '.{0,20}?(?:born|birthday|birth date|date of birth)(?: is| was)?(?: on)?(?: the)? {D}.{0,5}(?:how old|what age|my age|age).{0,30}',
      aspect: 'age',
    },
    { pattern: '(?:the )?age (?:of|for|if).{0,25}?(?:born )?(?:on )?{D}', aspect: 'age' },
    {
      pattern:
        "(?:(?:what|which)(?:'s| is| was| will)?.{0,30}?(?:date|day).{0,25}?|when(?:'s| is| was| will)?(?: it)?(?: be)?|(?:the )?date) ?in {P}",
      aspect: 'later',
    },
    {
      pattern:
        "(?:(?:what|which).{0,30}?(?:date|day).{0,25}?|when(?:'s| is| was| will)?(?: it)?(?: be)?|(?:the )?date)? ?{P} (?:from (?:now|today)|from {D}|after {D}|past {D}|later)",
      aspect: 'later',
    },
    { pattern: '(?:what.{0,25}?)?{D} (?:plus|\\+) {P}', aspect: 'later' },
    { pattern: '(?:what.{0,25}?)?{D} (?:minus|-) {P}', aspect: 'earlier' },
    {
      pattern:
        "(?:(?:what|which).{0,30}?(?:date|day).{0,25}?|when(?:'s| is| was| will)?(?: it)?|(?:the )?date)? ?{P} (?:ago|before now|before today|before {D}|prior to {D}|earlier than {D})",
      aspect: 'earlier',
    },
    { pattern: '(?:is|was|will) (?:the year )?{Y} (?:be )?a leap[ -]?year', aspect: 'leap-year' },
    { pattern: '{Y} (?:a )?leap[ -]?year', aspect: 'leap-year' },
    { pattern: '(?:how many|number of) days(?: are)?(?: there)?(?: does)?(?: in)? {M}(?: have| has)?', aspect: 'days-in-month' },
  ],
  timeNow: [
    "(?:(?:what's|whats|what is|what|give me|show me) )?(?:the )?(?:current |exact |local )?time(?: is it| it is| would it be| will it be| now)*(?: right now| now| currently| at the moment)?(?: (?:in|at|for|over in) {A})?(?: right now| now| currently| at the moment| rn| today)?",
    "(?:(?:what's|whats|what is|what|give me|show me|tell me) )?(?:the )?(?:current |exact |local )?(?:date|time and date|date and time|day|weekday|day of the week)(?: is it| it is| is today| of the week is it)?(?: right now| now| today| currently)?(?: (?:in|at|for) {A})?(?: right now| now| today)?",
    "(?:(?:what's|whats|what is) )?(?:the )?today's (?:date|day|weekday)(?: in {A})?",
    '(?:what|which) (?:day|date|weekday|year|month|day of the week) (?:is it|is today|do we have|is now)(?: now| today| right now)?(?: in {A})?(?: now| today| right now)?',
    'time(?: now)?(?: in)? {A}',
    '{A} time(?: now)?',
    'how late is it(?: now)?(?: in {A})?(?: now)?',
    'is it (?:already |still )?(?:morning|night|late|day|daytime|evening|dark|afternoon|midnight|noon|early|tomorrow|night ?time)(?: already| now)? in {A}(?: right now| now| already)?',
  ],
  timeElsewhere: [
    "(?:what time|what|how late)(?: is it| would it be| will it be)? (?:in|at) {B}(?:,)? (?:when|if|while)(?: it is| it's| its)? {T}(?: o'clock)? (?:in|at) {A}",
    "(?:when|if)(?: it is| it's| its)? {T} (?:in|at) {A},?(?: then)?(?: what| what's| whats)?(?: the)?(?: time)?(?: is it| would it be| will it be)?(?: the time)? (?:in|at) {B}",
    '(?:what is )?{T} (?:in |at )?{A}(?: time)? (?:is what time|what time is it|what time is that|what time|is|to|into|in)(?: what time)?(?: in| at)? {B}(?: time)?',
    'convert {T} (?:in |at )?{A}(?: time)? (?:to|into|in)(?: the time in)? {B}(?: time)?',
  ],
  timeDifference: [
    "(?:what's |whats |what is )?(?:the )?(?:time )?(?:zone )?difference(?: in time| in hours)?(?: is there)? (?:between|from|of) {A} (?:and|to) {B}",
    '(?:what|how big|how large)(?: is)?(?: the)? time difference (?:is there )?(?:between )?{A} (?:and|to) {B}',
    'how many hours(?: time)?(?: difference)?(?: is| are| lie)?(?: there)? (?:between )?{A} (?:and|ahead of|behind|before|from|earlier than|later than) {B}',
    'how (?:far|much) (?:is )?{A} (?:ahead of|behind) {B}',
  ],
  conversions: [
    "(?:(?:convert|change|turn|what's|whats|what is|how much is|how much are|how many is|how hot is|how cold is|how long is|how far is|how tall is|how heavy is|how fast is|how big is)\\s+)*{N}\\s*{from}\\s+(?:to|in|into|as|is how many|are how many|equals how many|is in)\\s+{to}",
    'how (?:many|much)\\s+{to}\\s+(?:is|are|in|make|makes|equal|equals|go into|fit in|fit into|does|do)(?:\\s+there)?(?:\\s+in)?(?:\\s+{N})?\\s*{from}(?: have| has)?',
  ],
  followUpLeads: 'and then|and now|and|then|what about|how about|now|but|also|ok and|okay and|or|so',
  prepositions: 'in|to|into|for|as|of|on|at|with|until|till',
  followUps: {
    shorten:
      '(?:a bit |much |make it |make that |can you make it |could you make it |please )*(?:shorter|briefer|more concise|more briefly|shorten(?: it| that| this)?|in short|in brief|briefly|tl;?dr|too long|summari[sz]e(?: it| that| this)?|sum it up|in one sentence|in a sentence|in a nutshell|the short version|short version|keep it short|that is too long|short please|short)',
    explain:
      "why|why not|why is that|why so|how come|but why|what for|why that|why is it so|what do you mean|what does that mean|what does this mean|what's that mean|i don'?t understand|i don'?t get it|explain|explain that|explain it|can you explain(?: that| it| this)?|please explain|meaning|huh|what",
    doubt:
      "really|are you sure|you sure|sure|is that true|is that right|is that correct|true|seriously|for real|i don'?t believe (?:you|it|that)|says who|source|sources|how do you know(?: that)?|that'?s wrong|that is wrong|wrong|that is not true|not true|no way",
    more: 'more|tell me more|more details?|more info(?:rmation)?|more about (?:that|it|this)|tell me more about (?:that|it|this)|details|go on|continue|what else|anything else|elaborate|longer|in more detail|and what else|and then|example|for example|an example|give me an example|such as|like what',
    translate:
      '(?:can you |could you |please )*(?:translate(?: it| that| this)?(?: (?:to|into|in) [a-z]+)?|say (?:it|that) in [a-z]+|in (?:german|french|spanish|italian|english|portuguese|russian|arabic|chinese|japanese|hindi|korean|turkish|polish|dutch|ukrainian)|(?:german|french|spanish|italian|english|chinese|russian|arabic|japanese|turkish|polish|dutch)(?: version)?)',
  },
  pronouns: 'it|that|this|they|them|those|these|there|so|then|he|she|one',
}
