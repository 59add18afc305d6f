/** Months and weekdays, January and Monday first, by language. */
const MONTHS = [
  'january february march april may june july august september october november december',
  'jan feb mar apr - jun jul aug sep oct nov dec',
  'januar februar märz - mai juni juli - - oktober - dezember',
  'jänner - - - - - - - sept - - dez',
  'janvier février mars avril - juin juillet août septembre octobre novembre décembre',
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
  'gennaio febbraio - aprile maggio giugno luglio - settembre ottobre - dicembre',
  'janeiro fevereiro março - maio junho julho - setembro outubro novembro dezembro',
  'января февраля марта апреля мая июня июля августа сентября октября ноября декабря',
  'январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь',
  'январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре',
  'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر',
  'जनवरी फरवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर',
]
const WEEKDAYS = [
  'monday tuesday wednesday thursday friday saturday sunday',
  'mondays tuesdays wednesdays thursdays fridays saturdays sundays',
  'montag dienstag mittwoch donnerstag freitag samstag sonntag',
  'montags dienstags mittwochs donnerstags freitags samstags sonntags',
  '- - - - - sonnabend -',
  'lundi mardi mercredi jeudi vendredi samedi dimanche',
  'lundis mardis mercredis jeudis vendredis samedis dimanches',
  'lunes martes miércoles jueves viernes sábado domingo',
  '- - - - - sábados domingos',
  'lunedì martedì mercoledì giovedì venerdì sabato domenica',
  'segunda-feira terça-feira quarta-feira quinta-feira sexta-feira - -',
  'segundas-feiras terças-feiras quartas-feiras quintas-feiras sextas-feiras - -',
  'понедельник вторник среда четверг пятница суббота воскресенье',
  'понедельникам вторникам средам четвергам пятницам субботам воскресеньям',
  '- - среду - пятницу субботу -',
  'الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد',
  'सोमवार मंगलवार बुधवार गुरुवार शुक्रवार शनिवार रविवार',
  '星期一 星期二 星期三 星期四 星期五 星期六 星期日',
  '周一 周二 周三 周四 周五 周六 周日',
  '月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日',
  '月曜 火曜 水曜 木曜 金曜 土曜 日曜',
  '월요일 화요일 수요일 목요일 금요일 토요일 일요일',
]

const ABBREVIATIONS = [
  'mo di mi do fr sa so',
  '- - - - - - sun',
  '- ma me je ve - di',
  'пн вт ср чт пт сб вс',
  '- - mer gio ven sab dom',
  'lun mar mié jue vie sáb dom',
]

export const WEEKDAY_ABBREVIATIONS: ReadonlyMap<string, number> = new Map(numbered(ABBREVIATIONS.toReversed()))
export const MONTH_WORDS: ReadonlyMap<string, number> = numbered(MONTHS)
export const WEEKDAY_WORDS: ReadonlyMap<string, number> = numbered(WEEKDAYS)

/** Words that mean several weekdays. */
export const DAY_GROUPS: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...'weekday weekdays wochentags werktags werktag werktage werktagen entre-semana feriali будням'
    .split(' ')
    .map((word) => [word, [1, 2, 3, 4, 5]] as const),
  ...'weekend weekends wochenende wochenenden week-end week-ends выходные выходным 周末 週末 주말'
    .split(' ')
    .map((word) => [word, [6, 7]] as const),
  ...'daily täglich every-day quotidiennement diariamente ежедневно يوميا प्रतिदिन 每天 毎日 매일'
    .split(' ')
    .map((word) => [word, [1, 2, 3, 4, 5, 6, 7]] as const),
])

/** Words between the ends of a range, such as "Monday to Friday". */
export const RANGE_WORDS: ReadonlySet<string> = new Set(
  'to until till through - – — bis au à a al hasta até до по إلى से から ～ ~ 至 到 부터'.split(' '),
)

function numbered(lists: readonly string[]): Map<string, number> {
  return new Map(lists.flatMap((words) => words.split(' ').map((word, at) => [word, at + 1] as const)).filter(([word]) => word !== '-'))
}
