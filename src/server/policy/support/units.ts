/** A unit: values of the same dimension compare after multiplication with the factor. */
export interface Unit {
  dimension: string
  factor: number
}

type Row = readonly [dimension: string, factor: number, words: string]

const ROWS: readonly Row[] = [
  ['time', 20_160, 'fortnight fortnights quinzaine quincena'],
  ['months', 6, 'semestre semestres semester halbjahr halbjahre halbjahres полугодие полугодия'],
  ['months', 120, 'decade decades jahrzehnt jahrzehnte décennie décennies'],
  ['time', 1 / 60, 'seconds sekunden secondes segundos secondi секунд секунды ثانية सेकंड 秒 초'],
  ['time', 1, 'minute minutes min minuten minuto minutos minuti минута минуты минут دقيقة دقائق मिनट मिनटों 分钟 分間 分 분'],
  [
    'time',
    60,
    'h hour hours hr hrs stunde stunden heure heures hora horas ora~it ore час часа часов ساعة ساعات घंटा घंटे घंटों 小时 時間 时间 시간',
  ],
  [
    'time',
    1_440,
    'day days tag tage tagen tages jour jours día días dia dias giorno giorni день дня дней днях يوم يوما يومًا أيام दिन दिनों 天 日間 日 일',
  ],
  [
    'time',
    10_080,
    'week weeks woche wochen semaine semaines semana semanas settimana settimane неделя недели недель неделю неделе неделях أسبوع أسبوعا أسبوعًا أسابيع सप्ताह सप्ताहों हफ्ते हफ्तों 周 星期 週間 주',
  ],
  ['workdays', 1, 'workday workdays werktag werktage werktagen arbeitstag arbeitstage arbeitstagen'],
  [
    'months',
    1,
    'month months monat monate monaten monats monates mois mes meses mese mesi mês месяц месяца месяцев месяце месяцах شهر أشهر شهور महीना महीने महीनों माह 个月 か月 ヶ月 カ月 개월 달',
  ],
  ['months', 3, 'quarter quarters quartal quartale trimestre trimestres trimestri квартал квартала 季度 四半期 분기'],
  [
    'months',
    12,
    'year years jahr jahre jahren jahres an~fr ans année années año años anno anni ano anos год года лет году годах سنة سنوات عام أعوام साल सालों वर्ष वर्षों 年 年間 년',
  ],
  ['percent', 1, '% percent prozent pourcent процент процента процентов процентах بالمئة प्रतिशत パーセント 퍼센트'],
  ['euro', 1, '€ eur euro euros евро يورو यूरो 欧元 ユーロ 유로'],
  ['euro', 0.01, 'cent cents centimes céntimos centesimi cêntimos'],
  ['dollar', 1, '$ usd dollar dollars dólar dólares dollari доллар доллара долларов دولار डॉलर 美元 ドル 달러'],
  ['pound', 1, '£ gbp pound pounds pfund libras sterline фунтов'],
  ['franc', 1, 'chf franken franc francs'],
  ['yuan', 1, '元 人民币 cny rmb yuan'],
  ['yen', 1, '円 ¥ jpy yen'],
  ['won', 1, '원 ₩ krw won'],
  ['rupee', 1, '₹ inr rupee rupees रुपये रुपए रुपया रूपये'],
  ['rouble', 1, '₽ rub рубль рубля рублей рублях руб'],
  ['real', 1, 'brl reais real'],
  ['dirham', 1, 'درهم دراهم dirham dirhams'],
  ['dinar', 1, 'دينار دينارا دنانير dinar dinars'],
  ['riyal', 1, 'ريال ريالا ريالات riyal riyals'],
  ['egyptian', 1, 'جنيه جنيها'],
  ['length', 0.001, 'mm millimetres millimeters millimeter millimètres milímetros'],
  ['length', 0.01, 'cm centimetre centimetres centimeter centimeters zentimeter centimètres centímetros centimetri сантиметров см'],
  ['length', 1, 'm metre metres meter meters metern mètre mètres metro metros metri метр метра метров متر أمتار मीटर 米 メートル 미터'],
  [
    'length',
    1_000,
    'km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres kilómetro kilómetros chilometro chilometri quilômetros километр километра километров كيلومتر किलोमीटर 公里 キロメートル キロ 킬로미터',
  ],
  ['mile', 1, 'mile miles meile meilen'],
  ['foot', 1, 'ft foot feet'],
  ['area', 1, 'm² qm quadratmeter quadratmetern 平方米 平方メートル 제곱미터'],
  ['volume', 1_000, 'm³ cbm kubikmeter kubikmetern'],
  ['volume', 1, 'l litre litres liter liters litern litro litros litri литр литра литров لتر लीटर 升 リットル 리터'],
  ['mass', 1, 'g gram grams gramm grammes gramos grammi грамм 克 グラム'],
  [
    'mass',
    1_000,
    'kg kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos chilogrammi chili килограмм килограмма килограммов كيلوغرام किलोग्राम किलो 公斤 千克 キログラム 킬로그램',
  ],
  ['mass', 1_000_000, 't tonne tonnes tonnen toneladas tonnellate тонн طن टन'],
]

const UNITS: ReadonlyMap<string, Unit> = new Map(
  ROWS.flatMap(([dimension, factor, words]) => words.split(' ').map((word) => [word, { dimension, factor }] as const)),
)

export const UNIT_WORDS: ReadonlySet<string> = new Set(UNITS.keys())

const PERIODS: readonly (readonly [dimension: string, factor: number, words: string])[] = [
  ['time', 20_160, 'fortnightly'],
  ['months', 6, 'halbjährlich semestriel semestrielle semestral semestrale'],
  ['time', 60, 'hourly stündlich horaire почасово'],
  [
    'time',
    1_440,
    'daily täglich quotidien quotidienne quotidiennement diario diaria diariamente giornaliero giornaliera diário diária ежедневно ежедневный يوميا दैनिक प्रतिदिन 每天 每日 毎日 매일 일일',
  ],
  [
    'time',
    10_080,
    'weekly wöchentlich wöchentliche hebdomadaire semanal semanalmente settimanale еженедельно أسبوعيا साप्ताहिक 每周 毎週 매주 주당',
  ],
  [
    'months',
    1,
    'monthly monatlich monatliche monatlichen mensuel mensuelle mensuels mensuellement mensual mensuales mensualmente mensile mensili mensal mensais mensalmente ежемесячно ежемесячный ежемесячная شهريا شهرياً मासिक प्रतिमाह 每月 毎月 月額 매월 매달 월',
  ],
  ['months', 3, 'quarterly vierteljährlich trimestriel trimestrielle trimestral trimestrale ежеквартально 每季度 分기마다'],
  [
    'months',
    12,
    'yearly annually annual annum jährlich jährliche jährlichen annuel annuelle annuellement anual anuales anualmente annuale annualmente anuais ежегодно ежегодный سنويا سنوياً वार्षिक प्रतिवर्ष सालाना 每年 毎年 年額 매년 연간 연',
  ],
]

/** Adverbs and adjectives that mean "once a …". */
export const PERIOD_WORDS: ReadonlyMap<string, Unit> = new Map(
  PERIODS.flatMap(([dimension, factor, words]) => words.split(' ').map((word) => [word, { dimension, factor }] as const)),
)

/** Words before a unit that make it a rate, such as "per month". */
export const RATE_WORDS: ReadonlySet<string> = new Set(
  'per a an each every pro je im jeden jede jedes par chaque al por cada ogni à ao в за كل لكل في प्रति हर / 每 毎 매'.split(' '),
)

const SQUARE = new Set('square quadrat carrés cuadrados quadrati quadrados квадратных'.split(' '))
const CUBIC = new Set('cubic cubes cúbicos cubi кубических'.split(' '))
const WORKING = new Set('working business ouvrables ouvrés laborables hábiles lavorativi úteis рабочих рабочие'.split(' '))

/** The unit in the word after a number, or in two words such as "cubic metres". */
export function unitOf(word: string | undefined, next?: string): Unit | null {
  if (word === undefined) return null
  const unit = UNITS.get(word) ?? null
  const after = next === undefined ? null : (UNITS.get(next) ?? null)
  if (after && SQUARE.has(word)) return { dimension: 'area', factor: after.factor ** 2 }
  if (after && CUBIC.has(word)) return { dimension: 'volume', factor: after.factor ** 3 * 1_000 }
  if (unit?.dimension === 'length' && next && SQUARE.has(next)) return { dimension: 'area', factor: unit.factor ** 2 }
  if (unit?.dimension === 'length' && next && CUBIC.has(next)) return { dimension: 'volume', factor: unit.factor ** 3 * 1_000 }
  if ((after?.dimension === 'time' && WORKING.has(word)) || (unit?.dimension === 'time' && next && WORKING.has(next)))
    return { dimension: 'workdays', factor: 1 }
  return unit
}

export function isTimeUnit({ dimension }: Unit): boolean {
  return dimension === 'time' || dimension === 'months'
}

export const MONEY: ReadonlySet<string> = new Set(
  'euro dollar pound franc yuan yen won rupee rouble real dirham dinar riyal egyptian'.split(' '),
)
