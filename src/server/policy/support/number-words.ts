/** Cardinal numbers from two to twelve and a few larger ones, by language, in order of `VALUES`. `-` where the word is missing. */
const VALUES = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 30, 40, 50, 60, 70, 80, 90, 100]
const CARDINALS = [
  'two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred',
  'zwei drei vier fünf sechs sieben acht neun zehn elf~de zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig hundert',
  'deux trois quatre cinq six sept huit neuf~fr dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf vingt trente quarante cinquante soixante soixante-dix quatre-vingts quatre-vingt-dix cent~fr',
  'dos~es tres cuatro cinco seis siete ocho nueve diez once~es doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien',
  'due~it tre quattro cinque sei~it sette otto~it nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove venti trenta quaranta cinquanta sessanta settanta ottanta novanta cento',
  'dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem',
  'два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто сто',
  'двух трёх четырёх пяти шести семи восьми девяти десяти одиннадцати двенадцати тринадцати четырнадцати пятнадцати шестнадцати семнадцати восемнадцати девятнадцати двадцати тридцати - пятидесяти шестидесяти - - - -',
  '- ثلاث أربع خمس ست سبع ثماني تسع عشر - - - - - - - - - عشرون ثلاثون أربعون خمسون ستون سبعون ثمانون تسعون مئة',
  '- ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة - - - - - - - - - عشرين ثلاثين أربعين خمسين ستين سبعين ثمانين تسعين مائة',
  'दो तीन चार पांच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस तीस चालीस पचास साठ सत्तर अस्सी नब्बे सौ',
  '두 세 네 다섯 여섯 일곱 여덟 아홉 열 열한 열두 - - - - - - - 스무 서른 마흔 쉰 예순 일흔 여든 아흔 백',
]
/** Words whose value does not fit the lists above, such as "twice" and spelling variants. */
const OTHERS: readonly [string, number][] = [
  ['zwo', 2],
  ['dreissig', 30],
  ['twice', 2],
  ['zweimal', 2],
  ['dreimal', 3],
  ['viermal', 4],
  ['dozen', 12],
  ['dutzend', 12],
  ['duas', 2],
  ['две', 2],
  ['quatre-vingt', 80],
  ['dezasseis', 16],
  ['dezassete', 17],
  ['dezanove', 19],
  ['veintiuno', 21],
  ['veinticinco', 25],
  ['venticinque', 25],
  ['пятидесяти', 50],
]
/** Ordinals from second on: "first" is mostly no number. */
const ORDINALS = [
  [2, 'second zweite zweiten zweiter zweites deuxième второй вторая второго второе вторую'],
  [3, 'third dritte dritten dritter drittes troisième tercer tercero tercera terzo terza terceiro terceira третий третья третьего'],
  [4, 'fourth vierte vierten vierter viertes quatrième cuarta четвертый четвёртый'],
  [5, 'fifth fünfte fünften fünfter fünftes cinquième quinto пятый'],
  [6, 'sixth sechste sechsten sechster sixième sexto sesto шестой'],
  [7, 'seventh siebte siebten siebter septième séptimo settimo sétimo седьмой'],
  [8, 'eighth achte achten achter huitième octavo ottavo oitavo восьмой'],
  [9, 'ninth neunte neunten neunter neuvième noveno nono девятый'],
  [10, 'tenth zehnte zehnten zehnter dixième décimo decimo десятый'],
] as const

const GERMAN_UNITS = ['ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun']
const HUNDREDS = [
  '- zweihundert dreihundert vierhundert fünfhundert sechshundert siebenhundert achthundert neunhundert',
  '- doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
  '- duecento trecento quattrocento cinquecento seicento settecento ottocento novecento',
  '- duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos',
  'сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот',
  'ста двухсот трёхсот четырёхсот пятисот шестисот семисот восьмисот девятисот',
]
const GERMAN_TENS = ['zwanzig', 'dreißig', 'vierzig', 'fünfzig', 'sechzig', 'siebzig', 'achtzig', 'neunzig']

/** Factors that follow a number, as in "3 million". */
export const MULTIPLIERS: ReadonlyMap<string, number> = new Map([
  ...['hundred', 'hundert', 'cent~fr', 'cents~fr', 'сотен'].map((word) => [word, 100] as const),
  ...['thousand', 'tausend', 'mille', 'mil', 'mila', 'тысяч', 'тысячи', 'тыс', 'ألف', 'हज़ार', 'हजार'].map((word) => [word, 1e3] as const),
  ...[
    'million',
    'millions',
    'millionen',
    'mio',
    'millón',
    'millones',
    'milione',
    'milioni',
    'milhão',
    'milhões',
    'миллион',
    'миллиона',
  ].map((word) => [word, 1e6] as const),
  ...['миллионов', 'млн', 'مليون'].map((word) => [word, 1e6] as const),
  ...['billion', 'billions', 'milliarde', 'milliarden', 'mrd', 'milliard', 'milliards', 'миллиард', 'млрд'].map(
    (word) => [word, 1e9] as const,
  ),
  ['тысяча', 1e3],
  ['тысячу', 1e3],
  ['lakh', 1e5],
  ['लाख', 1e5],
  ['करोड़', 1e7],
])

export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    ...CARDINALS.flatMap((words) => words.split(' ').map((word, at) => [word, VALUES[at] ?? 0] as const)),
    ...GERMAN_TENS.flatMap((tens, at) => GERMAN_UNITS.map((unit, by) => [`${unit}und${tens}`, (at + 2) * 10 + by + 1] as const)),
    ...HUNDREDS.flatMap((list) => list.split(' ').map((word, at) => [word, (at + 1) * 100] as const)),
    ...OTHERS,
    ...ORDINALS.flatMap(([value, words]) => words.split(' ').map((word) => [word, value] as const)),
  ].filter(([word]) => word !== '-'),
)

/** "One" as a number, which is an article in most languages and counts only before a unit. */
export const ONE_WORDS: ReadonlySet<string> = new Set(
  'one a an ein eine einen einem einer eines un une uno una um uma один одна одно одну одного एक 한'.split(' '),
)

export const HALF_WORDS: ReadonlySet<string> = new Set(
  'half hälfte halb halbe halben halber halbes moitié demi demie mitad medio~es media~es metà mezzo~it mezza metade meio~pt meia~pt половина половину половины пол نصف आधा आधी आधे 半 半分 一半 절반 반'.split(
    ' ',
  ),
)

/** Words for a half that mean much else unless a unit or a number is beside them. */
export const WEAK_HALF_WORDS: ReadonlySet<string> = new Set(
  'demi demie medio~es media~es mezzo~it mezza meio~pt meia~pt пол 半 반'.split(' '),
)

/** One and a half. */
export const ONE_AND_HALF_WORDS: ReadonlySet<string> = new Set('eineinhalb anderthalb anderthalbe полтора полторы полутора डेढ़'.split(' '))

/** Parts that a source may state in words; in a sentence they claim nothing that digits could contradict. */
export const FRACTION_WORDS: ReadonlyMap<string, number> = new Map([
  ...'quarter viertel quart cuarto quarto четверть'.split(' ').map((word) => [word, 25] as const),
  ...'drittel tiers tercio terzo terço треть'.split(' ').map((word) => [word, 33] as const),
  ...'tenth zehntel dixième décimo decimo'.split(' ').map((word) => [word, 10] as const),
])

const HAN_DIGITS = '〇一二三四五六七八九'
const HAN_POWERS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 }

/** The value of a numeral in Chinese characters below ten thousand; `null` if it is none. */
export function hanNumber(text: string): number | null {
  let sum = 0
  let digit = 0
  for (const character of text.replaceAll('两', '二').replaceAll('零', '〇')) {
    const power = HAN_POWERS[character]
    if (power === undefined) digit = HAN_DIGITS.indexOf(character)
    else {
      sum += (digit || 1) * power
      digit = 0
    }
    if (digit < 0) return null
  }
  return sum + digit
}
