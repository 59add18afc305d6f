import type { LanguageRules } from './language-rules.ts'

const UNITS =
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho veintinueve'.split(
    ' ',
  )
const TENS = 'treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' ')
const HUNDREDS = {
  doscientos: 200,
  trescientos: 300,
  cuatrocientos: 400,
  quinientos: 500,
  seiscientos: 600,
  setecientos: 700,
  ochocientos: 800,
  novecientos: 900,
}

function numbers(): Map<string, number> {
  const words = new Map(UNITS.map((word, value) => [word, value]))
  for (const word of ['un', 'una']) words.set(word, 1)
  for (const word of ['veintiun', 'veintiuna']) words.set(word, 21)
  for (const [index, ten] of TENS.entries()) {
    words.set(ten, (index + 3) * 10)
    for (const [unit, word] of UNITS.slice(1, 10).entries()) words.set(`${ten} y ${word}`, (index + 3) * 10 + unit + 1)
  }
  words.set('cien', 100)
  for (const [word, value] of Object.entries(HUNDREDS)) words.set(word, value)
  return words
}

const TAX = '(?:iva|i\\.v\\.a\\.|impuestos?)'
const PEOPLE = '(?:personas|amigos|gente|ninos|companeros|invitados)'

export const SPANISH: LanguageRules = {
  language: 'es',
  markers:
    'el la los las es son fue era y o pero como que cuando donde quien quienes por cual cuales cuanto cuanta cuantos cuantas yo tu mi mis me no un una unos del al ' +
    'en convertir con para gracias hola esta este esto puedo puede puedes hay dia dias semana semanas entre hasta hace dentro hoy manana ayer mas menos mitad doble hora de se lo su sus usted nada milla millas libra libras onzas pulgadas pies grados kilometros metros litros horas minutos segundos',
  openings:
    'por favor|porfa|hola|buenas|buenos dias|buenas tardes|buenas noches|oye|bueno|pues|a ver|ok|vale|una pregunta|perdon|disculpa|disculpe|quisiera saber(?: si)?|me gustaria saber(?: si)?|quiero saber(?: si)?|me puedes decir|puedes decirme|puede decirme|podrias decirme|podria decirme|me dices|dime|digame|sabes|puedes|puede|podrias|necesito saber(?: si)?',
  closings: 'por favor|porfa|gracias|ahora|ahora mismo|exactamente|otra vez|en total|mas o menos',
  calculationLeads:
    'cuanto es|cuanto son|cuanto seria|cuanto da|cuanto hace|cuanto cuesta|cuanto vale|cuanto|que es|que son|cual es el resultado de|cual es|calcula|calcular|calcule|el resultado de|dame',
  numbers: numbers(),
  operators: [
    ['mas', '+'],
    ['menos', '-'],
    ['por|multiplicado por|veces', '*'],
    ['dividido por|dividido entre|entre|dividido', '/'],
    ['elevado a(?: la)?', '^'],
    ['al cuadrado', '^2'],
    ['al cubo', '^3'],
    ['(?:la )?raiz (?:cuadrada )?de (\\d+(?:\\.\\d+)?)', 'sqrt($1)'],
    ['(?:la )?mitad de (\\d+(?:\\.\\d+)?)', '$1/2'],
    ['(?:un |el |1 )?tercio de (\\d+(?:\\.\\d+)?)|(?:la )?tercera parte de (\\d+(?:\\.\\d+)?)', '$1$2/3'],
    ['(?:un |el |1 )?cuarto de (\\d+(?:\\.\\d+)?)|(?:la )?cuarta parte de (\\d+(?:\\.\\d+)?)', '$1$2/4'],
    ['(\\d) cuartos de (\\d+(?:\\.\\d+)?)', '$2*$1/4'],
    ['(\\d) tercios de (\\d+(?:\\.\\d+)?)', '$2*$1/3'],
    ['(?:el )?doble de (\\d+(?:\\.\\d+)?)', '2*$1'],
    ['(?:el )?triple de (\\d+(?:\\.\\d+)?)', '3*$1'],
    ['(\\d+) docenas?', '$1*12'],
  ],
  arithmetic: [
    {
      pattern: `.*?{P} de (?:descuento|rebaja)(?: en| sobre| de| a)?(?: un| una| el| la| los| las)?(?: [a-z]+ de)? ?{N}.*`,
      expression: '{2} - {1}%',
    },
    { pattern: `{N} (?:con|menos|a|-)(?: un| el)? ?{P}(?: de (?:descuento|rebaja))?`, expression: '{1} - {2}%' },
    { pattern: `.*?{N}.{0,40}? {P} de (?:descuento|rebaja).*`, expression: '{1} - {2}%' },
    { pattern: `.*?{N}.{0,40}(?:rebajad[oa]|descuento|rebaja|reducid[oa]|baja).{0,12}? {P}.*`, expression: '{1} - {2}%' },
    { pattern: `.*?{N}.{0,40}(?:aumenta|sube|aumento|subida|incremento).{0,12}? {P}.*`, expression: '{1} + {2}%' },
    { pattern: `{N} (?:mas|con|y|\\+)(?: el| un)? ?{P}(?: de)?(?: ${TAX}| propina)?`, expression: '{1} + {2}%' },
    { pattern: `{N} (?:mas|con|y|\\+)(?: el)? ?${TAX} (?:del?|al) {P}`, expression: '{1} + {2}%' },
    { pattern: `(?:suma|anade|agrega)(?: el| un)? {P}(?: de)?(?: ${TAX})? a {N}`, expression: '{2} + {1}%' },
    {
      pattern: `.*?${TAX}.{0,14}(?:incluido|hay|contiene|tiene|lleva|en).{0,12}? {N}.{0,20}? {P}.*`,
      expression: '{1} - {1} / (1 + {2}/100)',
    },
    { pattern: `{N} sin (?:el )?(?:${TAX} (?:del? |al ))?{P}(?: de)?(?: ${TAX})?`, expression: '{1} / (1 + {2}/100)' },
    { pattern: `(?:el )?{P} de ${TAX} (?:de|sobre|en) {N}`, expression: '{1}% of {2}' },
    { pattern: `(?:el )?${TAX} (?:del? |al ){P} (?:de|sobre) {N}`, expression: '{1}% of {2}' },
    {
      pattern: `(?:divide|dividir|reparte|repartir|dividan)(?: la cuenta de| una cuenta de)? ?{N} (?:entre|por|en) {N}(?: ${PEOPLE})?,? (?:con|mas|y) {P}.{0,20}`,
      expression: '({1} + {3}%) / {2}',
    },
    {
      pattern: `(?:divide|dividir|reparte|repartir|dividan)(?: la cuenta de| una cuenta de)? ?{N} (?:entre|por|en) {N}(?: ${PEOPLE})?.{0,10}`,
      expression: '{1} / {2}',
    },
    { pattern: `{N} (?:dividido|repartido|entre)(?: entre| por)? ?{N}(?: ${PEOPLE})?`, expression: '{1} / {2}' },
    { pattern: `.*?{N} ${PEOPLE}.{0,40}(?:cuenta|total|pagar|factura|cuesta).{0,20}? {N}.*`, expression: '{2} / {1}' },
    { pattern: `.*?(?:cuenta|total|factura).{0,20}? {N}.{0,30}? {N} ${PEOPLE}.*`, expression: '{1} / {2}' },
    { pattern: `{P} de propina (?:de|en|sobre|para) {N}.{0,10}`, expression: '{1}% of {2}' },
    { pattern: `.*?propina.{0,12}? {P}.{0,12}? {N}.{0,10}`, expression: '{1}% of {2}' },
    { pattern: `(?:el |la )?(?:promedio|media)(?: de| entre)?:? {L}`, expression: 'average' },
    { pattern: `(?:la )?suma(?: de)?:? {L}`, expression: 'sum' },
    { pattern: `(?:el )?producto de {N} y {N}`, expression: '{1} * {2}' },
    { pattern: `(?:la )?diferencia entre {N} y {N}`, expression: '{1} - {2}' },
    { pattern: `(?:resta|restar|quita) {N} (?:de|a) {N}`, expression: '{2} - {1}' },
    { pattern: `(?:multiplica|multiplicar) {N} por {N}`, expression: '{1} * {2}' },
    { pattern: `(?:el |un )?{P} de {N}`, expression: '{1}% of {2}' },
    {
      pattern: `(?:que|cual)? ?(?:%|porcentaje) de {N} (?:es|son|representa) {N}`,
      expression: '{2} / {1} * 100',
      isPercentage: true,
    },
    { pattern: `{N} es (?:que|el) (?:%|porcentaje) de {N}`, expression: '{1} / {2} * 100', isPercentage: true },
    { pattern: `.*?(?:de|entre) {N} (?:a|y) {N}.{0,12}(?:%|porcentaje).*`, expression: '({2} - {1}) / {1} * 100', isPercentage: true },
    { pattern: `.*?{N} [a-z]+ (?:a|de|con) {N}(?: [a-z]+)? (?:cada un[oa]|cada|por unidad|por [a-z]+).*`, expression: '{1} * {2}' },
  ],
  lastResult: 'eso|esto|el resultado|ello|el total|la suma',
  months:
    'enero|ene febrero|feb marzo|mar abril|abr mayo|may junio|jun julio|jul agosto|ago septiembre|setiembre|sep|sept octubre|oct noviembre|nov diciembre|dic'.split(
      ' ',
    ),
  weekdays: 'domingo lunes martes miercoles jueves viernes sabado'.split(' '),
  relativeDays: { hoy: 0, ahora: 0, manana: 1, ayer: -1, 'pasado manana': 2, anteayer: -2, antier: -2 },
  periodUnits: { days: 'dias?', weeks: 'semanas?', months: 'mes(?:es)?', years: 'anos?' },
  holidays: {
    new_years_eve: 'nochevieja|fin de ano|ano viejo|la nochevieja',
    new_year: 'ano nuevo|el ano nuevo',
    epiphany: 'reyes|los reyes|dia de reyes|el dia de reyes|reyes magos',
    valentines_day: 'san valentin|dia de san valentin|el dia de los enamorados',
    labour_day: 'dia del trabajo|el dia del trabajo|dia del trabajador|el dia del trabajador',
    halloween: 'halloween',
    all_saints: 'todos los santos|dia de todos los santos|el dia de todos los santos',
    st_nicholas: 'san nicolas',
    christmas_eve: 'nochebuena|la nochebuena',
    christmas: 'navidad|la navidad|navidades',
    shrove_tuesday: 'martes de carnaval|el martes de carnaval',
    ash_wednesday: 'miercoles de ceniza|el miercoles de ceniza',
    palm_sunday: 'domingo de ramos|el domingo de ramos|semana santa|la semana santa',
    maundy_thursday: 'jueves santo|el jueves santo',
    good_friday: 'viernes santo|el viernes santo',
    easter_monday: 'lunes de pascua|el lunes de pascua',
    easter: 'domingo de pascua|el domingo de pascua|domingo de resurreccion|pascua|la pascua|pascuas',
    ascension: 'la ascension|ascension',
    pentecost: 'pentecostes',
    corpus_christi: 'corpus christi|el corpus|corpus',
    advent: '(?:el )?(?:primer )?(?:domingo de )?adviento',
  },
  thisYear: 'este ano|de este ano',
  nextYear: 'el proximo ano|proximo ano|el ano que viene|del proximo ano|del ano que viene',
  dateJoiner: '(?: de| del)?',
  dates: [
    { pattern: '(?:que|en que) dia(?: de la semana)? (?:es|fue|era|sera|cae|caera|cayo|caia)(?: el)? ?{D}', aspect: 'weekday' },
    { pattern: '(?:el )?{D} (?:que dia(?: de la semana)? (?:es|fue|era|cae|sera)|es que dia)', aspect: 'weekday' },
    { pattern: '(?:que )?dia de la semana(?: del?| el)? ?{D}', aspect: 'weekday' },
    {
      pattern:
        '(?:es|fue|cae|sera) (?:el )?{D} (?:en )?(?:un )?(?:fin de semana|laborable|lunes|martes|miercoles|jueves|viernes|sabado|domingo)',
      aspect: 'weekday',
    },
    {
      pattern: '(?:cuando|en que fecha|que fecha|que dia|a que fecha)(?: es| cae| son| sera| fue| estamos| era| empieza)?(?: el| la)? ?{D}',
      aspect: 'date',
    },
    { pattern: '(?:cual es )?(?:la )?fecha de {D}', aspect: 'date' },
    { pattern: '(?:el )?{D}', aspect: 'date' },
    {
      pattern:
        '(?:cuantos |numero de )?dias(?: hay| pasan| son| transcurren)? (?:entre|desde|del?)(?: el)? ?{D} (?:y|a|al|hasta)(?: el)? ?{D}',
      aspect: 'difference',
    },
    {
      pattern:
        '(?:cuanto tiempo|cuant[oa]s (?:semanas|meses|anos))(?: hay| pasa| pasan)? (?:entre|desde|del?)(?: el)? ?{D} (?:y|al?|hasta)(?: el)? ?{D}',
      aspect: 'difference',
    },
    {
      pattern:
        '(?:cuant[oa]s (?:dias|semanas|meses)|cuanto|cuanto tiempo|dias)(?: faltan| falta| quedan| queda| hay)?(?: aun| todavia)? (?:para|hasta)(?: el| la)? ?{D}',
      aspect: 'until',
    },
    { pattern: '(?:cuantos dias|cuanto tiempo)(?: han pasado| hace| pasaron| ha pasado)? desde(?: el)? ?{D}', aspect: 'since' },
    {
      pattern:
        '(?:en )?(?:que|cual es el|numero de)? ?(?:numero de )?semana(?: del ano)?(?: es| estamos| es hoy| es esta| actual| ahora)*(?: del ano)?',
      aspect: 'week',
    },
    {
      pattern: '(?:en )?(?:que|cual es el|numero de)? ?(?:numero de )?semana(?: del ano)?(?: es| cae| fue| del| tiene)*(?: el)? ?{D}',
      aspect: 'week',
    },
    {
      pattern: '(?:cuantos anos|que edad) (?:tiene|tengo|tendria|tienen).{0,40}?(?:naci(?:o|do|da|)|nacid[oa])(?: el)? ?{D}.{0,5}',
      aspect: 'age',
    },
    { pattern: '.{0,15}?(?:naci|nacio|nacid[oa])(?: el)? {D}.{0,8}(?:cuantos anos|que edad).{0,15}', aspect: 'age' },
    { pattern: '(?:(?:que|cual|cuando).{0,30}?)?(?:fecha |dia )?(?:sera |es |sera el )?(?:dentro de|en) {P}', aspect: 'later' },
    { pattern: '(?:(?:que|cual|cuando).{0,30}?)?{P} (?:despues del?|a partir del?|desde el|desde)(?: el)? ?{D}', aspect: 'later' },
    { pattern: '(?:(?:que|cual|cuando).{0,30}?)?(?:fecha |dia )?(?:era |fue )?hace {P}', aspect: 'earlier' },
    { pattern: '(?:(?:que|cual|cuando).{0,30}?)?{P} antes del?(?: el)? ?{D}', aspect: 'earlier' },
    { pattern: '(?:es|fue|sera) (?:el ano )?{Y} (?:un )?(?:ano )?bisiesto', aspect: 'leap-year' },
    { pattern: '{Y} (?:es|fue|sera) (?:un )?(?:ano )?bisiesto', aspect: 'leap-year' },
    { pattern: '(?:cuantos )?dias (?:tiene|hay en|tuvo|en) ?{M}', aspect: 'days-in-month' },
  ],
  timeNow: [
    '(?:que|a que) hora(?:s)?(?: es| son| tienen| sera)?(?: ahora| ahora mismo)?(?: en {A})?(?: ahora| ahora mismo)?',
    '(?:la |cual es la )?hora(?: actual| exacta)?(?: en {A})?',
    '(?:es|esta) (?:ya |todavia )?(?:de noche|de dia|de madrugada|por la manana) en {A}',
  ],
  timeElsewhere: [
    '(?:si|cuando) en {A} (?:es|son)(?: las?)? {T},? que hora es en {B}',
    '(?:si|cuando) (?:es|son)(?: las?)? {T} en {A},? que hora es en {B}',
    'que hora es en {B},? (?:si|cuando) en {A} (?:es|son)(?: las?)? {T}',
    'que hora es en {B},? (?:si|cuando) (?:es|son)(?: las?)? {T} en {A}',
  ],
  timeDifference: [
    '(?:cual es |que |cuanta |de cuanto es )?(?:la )?(?:diferencia (?:horaria|de horas?|de horario)|diferencia)(?: hay| existe| tiene)? (?:entre|de) {A} (?:y|con|a) {B}',
    'cuantas horas(?: de diferencia)?(?: hay)?(?: de diferencia)? entre {A} y {B}',
  ],
  conversions: [
    '(?:(?:convertir|convierte|convierta|pasar|pasa|cuanto es|cuanto son|cuantos son)\\s+)*{N}\\s*{from}\\s+(?:a|en|son cuantos|son cuantas)\\s+{to}',
    'cuant[oa]s?\\s+{to}\\s+(?:son|es|hay en|tiene|tienen|equivalen a|equivale a|caben en)(?:\\s+{N})?\\s*{from}',
  ],
  followUpLeads: 'y que tal|y ahora|y|entonces|que tal|que pasa con|ahora|pero|tambien|o',
  prepositions: 'en|a|para|de|del|al|con|hasta|sobre',
  followUps: {
    shorten:
      '(?:mas |hazlo |un poco |en )*(?:mas corto|corto|breve|mas breve|en resumen|resumen|resume(?:lo)?|resumelo|en una frase|demasiado largo|abreviado|acorta(?:lo)?)',
    explain:
      'por que|porque|por que no|y eso|por que eso|que significa(?: eso)?|que quieres decir|no entiendo|no lo entiendo|explica(?:lo|me)?|explicame(?: eso)?|que|como',
    doubt:
      'de verdad|en serio|seguro|estas seguro|esta seguro|es verdad|es cierto|fuente|fuentes|eso no es verdad|eso es falso|falso|no es cierto',
    more: 'mas|mas detalles|mas informacion|dime mas|cuentame mas|sigue|continua|que mas|algo mas|ejemplo|un ejemplo|por ejemplo|detalles',
    translate:
      '(?:puedes |puede |me lo |lo )*(?:en (?:espanol|ingles|frances|aleman|italiano|portugues|catalan|arabe|ruso)|traduc(?:e|ir|elo|irlo)(?: (?:eso|esto|lo))?(?: al? [a-z]+)?)',
  },
  pronouns: 'eso|esto|esta|este|lo|la|los|las|ello|ellos|ahi|le|se',
}
