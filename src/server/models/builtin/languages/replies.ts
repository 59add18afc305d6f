import type { DateFacts } from '../computing/date-time.ts'
import type { FollowUpKind, ReplyLanguage } from './language-rules.ts'

/** Replies of the built-in assistant that don't come from a passage. */
export interface Replies {
  /** Tag for `Intl`. */
  locale: string
  mood: string
  agreement: string
  rude: string
  empty: string
  notCovered: string
  didYouMean: string
  /** Before questions that it can answer. */
  canAsk: string
  abilities: string
  ability: Readonly<Record<'knowledge' | 'calculator' | 'date_time' | 'convert_units', string>>
  cannot: string
  toolFailed: string
  notCalculated: string
  /** "of" in "19% of 250". */
  percentOf: string
  notConverted: string
  unknownPlace: string
  unknownDate: string
  ambiguousDate: (text: string, readings: readonly string[]) => string
  alreadyShort: string
  nothingBefore: string
  followUp: Readonly<Record<Exclude<FollowUpKind, 'shorten'>, string>>
  whichNumber: string
  thatWasAll: string
  passageIsEnglish: string | null
  now: (time: string, date: string, place: string) => string
  nowUtc: (time: string, date: string) => string
  elsewhere: (from: string, to: string) => string
  difference: (from: string, to: string, hours: string) => string
  sameTime: (from: string, to: string) => string
  hours: (count: number, text: string) => string
  days: (count: number) => string
  weeks: (count: number) => string
  and: string
  daysBetween: (days: string, from: string, to: string, period: string) => string
  daysUntil: (days: string, date: string) => string
  daysSince: (days: string, date: string) => string
  isToday: (date: string) => string
  weekday: (date: string, weekday: string, tense: 'past' | 'present' | 'future') => string
  week: (date: string, week: number) => string
  age: (date: string, years: number) => string
  notBorn: string
  date: (date: string) => string
  leapYear: (year: number, isLeapYear: boolean) => string
  daysInMonth: (month: string, days: number) => string
  period: (period: { years: number; months: number; days: number }) => string
}

export const tenseOf = ({ daysFromToday }: DateFacts) => (daysFromToday < 0 ? 'past' : daysFromToday > 0 ? 'future' : 'present')

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`
const listed = (parts: readonly string[], and: string) =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${and} ${parts.at(-1)}`

export const REPLIES: Readonly<Record<ReplyLanguage, Replies>> = {
  en: {
    locale: 'en-GB',
    mood: 'I’m a program, so I have no moods, but I’m ready. How can I help?',
    agreement: 'All right. Ask me whenever you need something.',
    rude: 'I’m sorry that I couldn’t help. I’m a small program and know only the documents of this site. Try other words, or ask “What can you do?”.',
    empty: 'What would you like to know?',
    notCovered: 'I don’t know that: the documents of this site don’t answer it.',
    didYouMean: 'Did you mean:',
    canAsk: 'You can ask, for example:',
    abilities: 'I’m a small assistant that runs inside this server, without a language model. I can:',
    ability: {
      knowledge: '**answer questions** from the documents of this site, with their source',
      calculator: '**calculate**: *What is 15% of 240?*, *20% off 85*, *split 96.40 between 4 people*',
      date_time: '**tell dates and times**: *What time is it in Tokyo?*, *How many days until Christmas?*, *When is Easter 2027?*',
      convert_units: '**convert units**: *Convert 10 miles to kilometres*',
    },
    cannot: 'I can’t write texts, translate, or look things up on the web. When I don’t know something, I say so.',
    toolFailed: 'Sorry, that didn’t work this time. Please try again.',
    notCalculated: 'I couldn’t calculate that.',
    percentOf: 'of',
    notConverted:
      'I couldn’t convert that. I know length, area, volume, weight, temperature, time, data, speed, energy, power and pressure, but no currencies.',
    unknownPlace: 'I don’t know that place: its time zone is not known. Name a larger city nearby, or a time zone such as Europe/Berlin.',
    unknownDate: 'I don’t know that date. Write it as “3 April 2027”, for example.',
    ambiguousDate: (text, readings) => `“${text}” can be read in two ways: ${readings.join(' or ')}. Which date do you mean?`,
    alreadyShort: 'That is already all I have on it:',
    nothingBefore: 'I’m not sure what you refer to. What would you like to know?',
    followUp: {
      explain:
        'I can only quote the documents of this site; they don’t say more about the reasons. Ask me something else about it, and I look it up.',
      doubt: 'It is what the documents of this site say; I can’t check it further. The source is named below the answer.',
      more: 'That is all I have on it.',
      translate: 'I can’t translate: I quote the documents of this site in the language in which they are written.',
    },
    whichNumber: 'What should I do with that? Write the whole calculation, please.',
    thatWasAll: 'That was all.',
    passageIsEnglish: null,
    now: (time, date, place) => `It is **${time}** on ${date}, in ${place}.`,
    nowUtc: (time, date) => `It is **${time}** on ${date}, in UTC. I don’t know where you are: name a city and I tell you the time there.`,
    elsewhere: (from, to) => `${from} is **${to}**.`,
    difference: (from, to, hours) => `${to} is **${hours}** ahead of ${from}.`,
    sameTime: (from, to) => `${from} and ${to} have the same time: **0 hours** difference.`,
    hours: (count, text) => `${text} ${count === 1 ? 'hour' : 'hours'}`,
    days: (count) => counted(count, 'day', 'days'),
    weeks: (count) => counted(count, 'week', 'weeks'),
    and: 'and',
    daysBetween: (days, from, to, period) => `From ${from} to ${to}: **${days}**${period}.`,
    daysUntil: (days, date) => `**${days}** until ${date}.`,
    daysSince: (days, date) => `**${days}** since ${date}.`,
    isToday: (date) => `That is today, ${date}.`,
    weekday: (date, weekday, tense) => `${date} ${{ past: 'was', present: 'is', future: 'is' }[tense]} a **${weekday}**.`,
    week: (date, week) => `${date} is in week **${week}** (ISO 8601).`,
    age: (date, years) => `Someone born on ${date} is **${years}** years old today.`,
    notBorn: 'That date is in the future.',
    date: (date) => `**${date}**`,
    leapYear: (year, isLeapYear) =>
      isLeapYear ? `Yes, ${year} is a leap year: it has **366** days.` : `No, ${year} is not a leap year: it has **365** days.`,
    daysInMonth: (month, days) => `${month} has **${days}** days.`,
    period: ({ years, months, days }) =>
      listed(
        [
          ...(years ? [counted(years, 'year', 'years')] : []),
          ...(months ? [counted(months, 'month', 'months')] : []),
          ...(days ? [counted(days, 'day', 'days')] : []),
        ],
        'and',
      ),
  },
  de: {
    locale: 'de-DE',
    mood: 'Ich bin ein Programm und habe keine Launen, bin aber bereit. Wie kann ich helfen?',
    agreement: 'Gut. Fragen Sie einfach, wenn Sie etwas brauchen.',
    rude: 'Es tut mir leid, dass ich nicht helfen konnte. Ich bin ein kleines Programm und kenne nur die Dokumente dieser Seite. Versuchen Sie andere Worte, oder fragen Sie „Was kannst du?“.',
    empty: 'Was möchten Sie wissen?',
    notCovered: 'Das weiß ich nicht: Die Dokumente dieser Seite beantworten es nicht.',
    didYouMean: 'Meinten Sie:',
    canAsk: 'Sie können zum Beispiel fragen:',
    abilities: 'Ich bin ein kleiner Assistent, der in diesem Server läuft, ohne Sprachmodell. Ich kann:',
    ability: {
      knowledge: '**Fragen beantworten**, aus den Dokumenten dieser Seite und mit Quelle',
      calculator: '**rechnen**: *Was sind 15 % von 240?*, *20 % Rabatt auf 85 Euro*, *84 Euro durch 3 Personen*',
      date_time: '**Datum und Uhrzeit nennen**: *Wie spät ist es in Tokio?*, *Wie viele Tage bis Weihnachten?*, *Wann ist Ostern 2027?*',
      convert_units: '**Einheiten umrechnen**: *10 Meilen in Kilometer*',
    },
    cannot: 'Ich kann keine Texte schreiben, nicht übersetzen und nichts im Web nachsehen. Was ich nicht weiß, sage ich.',
    toolFailed: 'Das hat diesmal leider nicht geklappt. Bitte versuchen Sie es noch einmal.',
    notCalculated: 'Das konnte ich nicht berechnen.',
    percentOf: 'von',
    notConverted:
      'Das konnte ich nicht umrechnen. Ich kenne Länge, Fläche, Volumen, Gewicht, Temperatur, Zeit, Daten, Geschwindigkeit, Energie, Leistung und Druck, aber keine Währungen.',
    unknownPlace: 'Diesen Ort kenne ich nicht. Nennen Sie eine größere Stadt in der Nähe oder eine Zeitzone wie Europe/Berlin.',
    unknownDate: 'Dieses Datum kenne ich nicht. Schreiben Sie es zum Beispiel als „3. April 2027“.',
    ambiguousDate: (text, readings) => `„${text}“ lässt sich auf zwei Arten lesen: ${readings.join(' oder ')}. Welches Datum meinen Sie?`,
    alreadyShort: 'Das ist schon alles, was ich dazu habe:',
    nothingBefore: 'Ich bin nicht sicher, worauf Sie sich beziehen. Was möchten Sie wissen?',
    followUp: {
      explain:
        'Ich kann nur die Dokumente dieser Seite zitieren; mehr zu den Gründen steht darin nicht. Fragen Sie gern etwas anderes dazu, dann sehe ich nach.',
      doubt: 'So steht es in den Dokumenten dieser Seite; weiter prüfen kann ich es nicht. Die Quelle steht unter der Antwort.',
      more: 'Das ist alles, was ich dazu habe.',
      translate: 'Übersetzen kann ich nicht: Ich zitiere die Dokumente dieser Seite in der Sprache, in der sie geschrieben sind.',
    },
    whichNumber: 'Was soll ich damit rechnen? Schreiben Sie bitte die ganze Rechnung.',
    thatWasAll: 'Das war alles.',
    passageIsEnglish: 'Dazu gibt es hier einen Text auf Englisch:',
    now: (time, date, place) => `Es ist **${time}** Uhr am ${date}, in ${place}.`,
    nowUtc: (time, date) =>
      `Es ist **${time}** Uhr am ${date}, in UTC. Ich weiß nicht, wo Sie sind: Nennen Sie eine Stadt, dann sage ich die Zeit dort.`,
    elsewhere: (from, to) => `${from} ist **${to}**.`,
    difference: (from, to, hours) => `${to} ist ${from} um **${hours}** voraus.`,
    sameTime: (from, to) => `In ${from} und ${to} ist es gleich spät: **0 Stunden** Unterschied.`,
    hours: (count, text) => `${text} ${count === 1 ? 'Stunde' : 'Stunden'}`,
    days: (count) => counted(count, 'Tag', 'Tage'),
    weeks: (count) => counted(count, 'Woche', 'Wochen'),
    and: 'und',
    daysBetween: (days, from, to, period) => `Vom ${from} bis zum ${to}: **${days}**${period}.`,
    daysUntil: (days, date) => `**${days}** bis ${date}.`,
    daysSince: (days, date) => `**${days}** seit ${date}.`,
    isToday: (date) => `Das ist heute, ${date}.`,
    weekday: (date, weekday, tense) => `Der ${date} ${{ past: 'war', present: 'ist', future: 'ist' }[tense]} ein **${weekday}**.`,
    week: (date, week) => `Der ${date} liegt in Kalenderwoche **${week}**.`,
    age: (date, years) => `Wer am ${date} geboren ist, ist heute **${years}** Jahre alt.`,
    notBorn: 'Dieses Datum liegt in der Zukunft.',
    date: (date) => `**${date}**`,
    leapYear: (year, isLeapYear) =>
      isLeapYear ? `Ja, ${year} ist ein Schaltjahr mit **366** Tagen.` : `Nein, ${year} ist kein Schaltjahr; es hat **365** Tage.`,
    daysInMonth: (month, days) => `Der ${month} hat **${days}** Tage.`,
    period: ({ years, months, days }) =>
      listed(
        [
          ...(years ? [counted(years, 'Jahr', 'Jahre')] : []),
          ...(months ? [counted(months, 'Monat', 'Monate')] : []),
          ...(days ? [counted(days, 'Tag', 'Tage')] : []),
        ],
        'und',
      ),
  },
  fr: {
    locale: 'fr-FR',
    mood: 'Je suis un programme, je n’ai donc pas d’humeur, mais je suis prêt. Comment puis-je vous aider ?',
    agreement: 'Très bien. Posez votre question quand vous voulez.',
    rude: 'Je suis désolé de ne pas avoir pu vous aider. Je suis un petit programme et je ne connais que les documents de ce site. Essayez d’autres mots, ou demandez « Que peux-tu faire ? ».',
    empty: 'Que voulez-vous savoir ?',
    notCovered: 'Je ne sais pas : les documents de ce site n’y répondent pas.',
    didYouMean: 'Vouliez-vous dire :',
    canAsk: 'Vous pouvez demander, par exemple :',
    abilities: 'Je suis un petit assistant qui fonctionne dans ce serveur, sans modèle de langage. Je peux :',
    ability: {
      knowledge: '**répondre à des questions** à partir des documents de ce site, en citant la source',
      calculator: '**calculer** : *15 % de 240*, *20 % de réduction sur 85 euros*, *partager 90 entre 4*',
      date_time:
        '**donner les dates et les heures** : *Quelle heure est-il à Tokyo ?*, *Combien de jours avant Noël ?*, *Quand tombe Pâques en 2027 ?*',
      convert_units: '**convertir des unités** : *convertir 10 miles en kilomètres*',
    },
    cannot: 'Je ne peux ni rédiger de textes, ni traduire, ni chercher sur le web. Quand je ne sais pas, je le dis.',
    toolFailed: 'Désolé, cela n’a pas fonctionné cette fois. Veuillez réessayer.',
    notCalculated: 'Je n’ai pas pu calculer cela.',
    percentOf: 'de',
    notConverted:
      'Je n’ai pas pu convertir cela. Je connais les longueurs, surfaces, volumes, poids, températures, durées, données, vitesses, énergies, puissances et pressions, mais pas les monnaies.',
    unknownPlace: 'Je ne connais pas ce lieu. Indiquez une plus grande ville à proximité, ou un fuseau horaire comme Europe/Paris.',
    unknownDate: 'Je ne connais pas cette date. Écrivez-la par exemple « 3 avril 2027 ».',
    ambiguousDate: (text, readings) => `« ${text} » peut se lire de deux façons : ${readings.join(' ou ')}. Quelle date voulez-vous dire ?`,
    alreadyShort: 'C’est déjà tout ce que j’ai à ce sujet :',
    nothingBefore: 'Je ne suis pas sûr de ce dont vous parlez. Que voulez-vous savoir ?',
    followUp: {
      explain:
        'Je ne peux que citer les documents de ce site ; ils n’en disent pas plus sur les raisons. Posez une autre question à ce sujet et je chercherai.',
      doubt: 'C’est ce que disent les documents de ce site ; je ne peux pas le vérifier davantage. La source est indiquée sous la réponse.',
      more: 'C’est tout ce que j’ai à ce sujet.',
      translate:
        'Je ne peux pas traduire : je cite les documents de ce site dans la langue où ils sont écrits. En français, je ne fais que les calculs, les dates et les réponses simples.',
    },
    whichNumber: 'Que dois-je en faire ? Écrivez le calcul en entier, s’il vous plaît.',
    thatWasAll: 'C’était tout.',
    passageIsEnglish: 'Voici un texte à ce sujet, en anglais :',
    now: (time, date, place) => `Il est **${time}** le ${date}, à ${place}.`,
    nowUtc: (time, date) =>
      `Il est **${time}** le ${date}, en UTC. Je ne sais pas où vous êtes : indiquez une ville et je vous donne l’heure là-bas.`,
    elsewhere: (from, to) => `${from}, c’est **${to}**.`,
    difference: (from, to, hours) => `${to} a **${hours}** d’avance sur ${from}.`,
    sameTime: (from, to) => `${from} et ${to} ont la même heure : **0 heure** de décalage.`,
    hours: (count, text) => `${text} ${count < 2 ? 'heure' : 'heures'}`,
    days: (count) => counted(count, 'jour', 'jours'),
    weeks: (count) => counted(count, 'semaine', 'semaines'),
    and: 'et',
    daysBetween: (days, from, to, period) => `Du ${from} au ${to} : **${days}**${period}.`,
    daysUntil: (days, date) => `**${days}** avant le ${date}.`,
    daysSince: (days, date) => `**${days}** depuis le ${date}.`,
    isToday: (date) => `C’est aujourd’hui, ${date}.`,
    weekday: (date, weekday, tense) => `Le ${date} ${{ past: 'était', present: 'est', future: 'sera' }[tense]} un **${weekday}**.`,
    week: (date, week) => `Le ${date} est dans la semaine **${week}** (ISO 8601).`,
    age: (date, years) => `Une personne née le ${date} a aujourd’hui **${years}** ans.`,
    notBorn: 'Cette date est dans le futur.',
    date: (date) => `**${date}**`,
    leapYear: (year, isLeapYear) =>
      isLeapYear
        ? `Oui, ${year} est une année bissextile de **366** jours.`
        : `Non, ${year} n’est pas une année bissextile ; elle a **365** jours.`,
    daysInMonth: (month, days) => `${month} compte **${days}** jours.`,
    period: ({ years, months, days }) =>
      listed(
        [
          ...(years ? [counted(years, 'an', 'ans')] : []),
          ...(months ? [`${months} mois`] : []),
          ...(days ? [counted(days, 'jour', 'jours')] : []),
        ],
        'et',
      ),
  },
  es: {
    locale: 'es-ES',
    mood: 'Soy un programa y no tengo estados de ánimo, pero estoy listo. ¿En qué puedo ayudarle?',
    agreement: 'De acuerdo. Pregunte cuando quiera.',
    rude: 'Siento no haber podido ayudar. Soy un pequeño programa y solo conozco los documentos de este sitio. Pruebe con otras palabras, o pregunte «¿Qué puedes hacer?».',
    empty: '¿Qué quiere saber?',
    notCovered: 'No lo sé: los documentos de este sitio no lo responden.',
    didYouMean: '¿Quería decir…?',
    canAsk: 'Puede preguntar, por ejemplo:',
    abilities: 'Soy un pequeño asistente que funciona dentro de este servidor, sin modelo de lenguaje. Puedo:',
    ability: {
      knowledge: '**responder preguntas** con los documentos de este sitio, citando la fuente',
      calculator: '**calcular**: *el 15 % de 240*, *20 % de descuento en 85 euros*, *divide 81 entre 3*',
      date_time:
        '**decir fechas y horas**: *¿Qué hora es en Tokio?*, *¿Cuántos días faltan para Navidad?*, *¿Cuándo es Semana Santa en 2027?*',
      convert_units: '**convertir unidades**: *10 millas a kilómetros*',
    },
    cannot: 'No puedo escribir textos, traducir ni buscar en la web. Cuando no sé algo, lo digo.',
    toolFailed: 'Lo siento, esta vez no ha funcionado. Inténtelo de nuevo.',
    notCalculated: 'No he podido calcularlo.',
    percentOf: 'de',
    notConverted:
      'No he podido convertirlo. Conozco longitud, superficie, volumen, peso, temperatura, tiempo, datos, velocidad, energía, potencia y presión, pero no monedas.',
    unknownPlace: 'No conozco ese lugar. Indique una ciudad más grande cercana, o una zona horaria como Europe/Madrid.',
    unknownDate: 'No conozco esa fecha. Escríbala, por ejemplo, como «3 de abril de 2027».',
    ambiguousDate: (text, readings) => `«${text}» se puede leer de dos maneras: ${readings.join(' o ')}. ¿Qué fecha quiere decir?`,
    alreadyShort: 'Eso ya es todo lo que tengo sobre ello:',
    nothingBefore: 'No sé a qué se refiere. ¿Qué quiere saber?',
    followUp: {
      explain: 'Solo puedo citar los documentos de este sitio; no dicen más sobre las razones. Pregunte otra cosa al respecto y lo busco.',
      doubt: 'Es lo que dicen los documentos de este sitio; no puedo comprobarlo más. La fuente está indicada debajo de la respuesta.',
      more: 'Eso es todo lo que tengo sobre ello.',
      translate:
        'No puedo traducir: cito los documentos de este sitio en el idioma en que están escritos. En español solo hago cálculos, fechas y respuestas sencillas.',
    },
    whichNumber: '¿Qué hago con eso? Escriba la operación completa, por favor.',
    thatWasAll: 'Eso era todo.',
    passageIsEnglish: 'Hay un texto sobre ello, en inglés:',
    now: (time, date, place) => `Son las **${time}** del ${date}, en ${place}.`,
    nowUtc: (time, date) => `Son las **${time}** del ${date}, en UTC. No sé dónde está: indique una ciudad y le digo la hora de allí.`,
    elsewhere: (from, to) => `${from} son las **${to}**.`,
    difference: (from, to, hours) => `${to} va **${hours}** por delante de ${from}.`,
    sameTime: (from, to) => `${from} y ${to} tienen la misma hora: **0 horas** de diferencia.`,
    hours: (count, text) => `${text} ${count === 1 ? 'hora' : 'horas'}`,
    days: (count) => counted(count, 'día', 'días'),
    weeks: (count) => counted(count, 'semana', 'semanas'),
    and: 'y',
    daysBetween: (days, from, to, period) => `Del ${from} al ${to}: **${days}**${period}.`,
    daysUntil: (days, date) => `**${days}** hasta el ${date}.`,
    daysSince: (days, date) => `**${days}** desde el ${date}.`,
    isToday: (date) => `Es hoy, ${date}.`,
    weekday: (date, weekday, tense) => `El ${date} ${{ past: 'fue', present: 'es', future: 'será' }[tense]} **${weekday}**.`,
    week: (date, week) => `El ${date} está en la semana **${week}** (ISO 8601).`,
    age: (date, years) => `Quien nació el ${date} tiene hoy **${years}** años.`,
    notBorn: 'Esa fecha está en el futuro.',
    date: (date) => `**${date}**`,
    leapYear: (year, isLeapYear) =>
      isLeapYear ? `Sí, ${year} es un año bisiesto de **366** días.` : `No, ${year} no es bisiesto; tiene **365** días.`,
    daysInMonth: (month, days) => `${month} tiene **${days}** días.`,
    period: ({ years, months, days }) =>
      listed(
        [
          ...(years ? [counted(years, 'año', 'años')] : []),
          ...(months ? [counted(months, 'mes', 'meses')] : []),
          ...(days ? [counted(days, 'día', 'días')] : []),
        ],
        'y',
      ),
  },
}
