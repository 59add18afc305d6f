import { expect, test } from 'vitest'
import { findMismatch, readEvidence } from './compare-claims.ts'

test.each([
  ['an amount in another spelling', 'An identity card costs 1250 euros.', 'Identity card: €1,250.'],
  ['digits of another script', 'الرسوم ٤٠ درهما.', 'تبلغ الرسوم 40 درهما ولا ترد.'],
  ['a number in words', 'Sie haben zwölf Monate Zeit.', 'Die Frist beträgt ein Jahr.'],
  ['an equal duration', 'Register within two weeks.', 'Register within 14 days of moving.'],
  ['half as a percentage', 'Students pay 50 % of the fare.', 'Students pay half of the fare.'],
  ['a time on another clock', 'The pool closes at 9 pm.', 'Pool: 6.30–21.00'],
  ['a date in digits', 'Le dépôt est possible avant le 31 mars 2026.', 'Date limite de dépôt : 31/03/2026.'],
  ['a weekday within a range', 'Das Amt ist am Mittwoch geöffnet.', 'Das Amt ist Mo–Fr von 8 bis 12 Uhr geöffnet.'],
  ['a rate as an adverb', 'Пособие составляет 5 000 рублей в месяц.', 'Размер пособия — 5000 рублей ежемесячно.'],
  ['a telephone number in other groups', 'Call 0711 216-100.', 'Telephone: 0711/216100'],
  ['one and a half', 'Wait an hour and a half.', 'The tour takes 90 minutes.'],
  ['a rounded number', 'The well is about thirty metres deep.', 'The well is 31 metres deep.'],
  ['a day that is left out', 'El museo cierra los lunes.', 'El museo abre de martes a domingo.'],
  [
    'a word that is a number in another language',
    'The permit can be extended only once, and the fee is due then.',
    'It may be renewed one time; then the fee is due.',
  ],
  [
    'prepositions that are negations in another language',
    'O pedido é feito no balcão da câmara.',
    'O pedido deve ser apresentado no balcão da câmara.',
  ],
  ['"may" after an age', 'Children under 14 may fish here.', 'Children younger than 14 can fish here.'],
  [
    'what is not possible without something',
    'Felling protected trees needs a permit.',
    'Protected trees may not be felled without a permit.',
  ],
  ['nouns of German', 'Dafür erhalten Eltern Elterngeld.', 'Elterngeld steht Müttern und Vätern zu.'],
  ['an exception', 'Guide dogs are allowed in the garden.', 'Dogs may not be taken into the garden. Guide dogs are exempt.'],
  ['the second part of a passage with two negations', 'Owners can receive the grant.', 'The grant is open to owners, not to tenants.'],
  ['a limit in other words', 'The photo may be up to six months old.', 'Bring a photo no older than 6 months.'],
  ['a group that the passage calls differently', 'Kids pay €4.', 'Adults pay €8. For children under 12 the price is €4.'],
  ['a statement about the sources', 'I found nothing about dogs in the documents.', 'Dogs are welcome.'],
  ['a count of what follows', 'There are three steps:', 'Fill in the form, sign it and send it.'],
  ['a numeral without spaces around it', '申請は3月31日までです。', '申請期限は2026年3月31日です。'],
  ['what is free at 0 euros', 'The service costs 0 euros.', 'The service is free.'],
  ['an hour as a number of hours', 'A piscina abre às 9 horas.', 'A piscina abre às 9:00.'],
  ['a rounded number without a unit', 'About 400 people live there.', 'The village has 412 inhabitants.'],
  ['the first day of a range', 'The office is closed from 20 December.', 'Closed from 20 to 31 December.'],
  ['midday in words', 'The desk closes at 12:00.', 'The desk closes at noon.'],
  ['a quarter to an hour', 'Der Bus fährt um Viertel vor acht.', 'Der Bus fährt um 7:45 Uhr.'],
  ['an hour and a half, in the evening', 'The bus leaves at half past seven.', 'The bus leaves at 19:30.'],
  ['factors of a product', 'That is 3*12 euros.', 'You pay 12 euros for each of 3 months.'],
  ['a quarter of an hour', 'The tour takes 15 minutes.', 'The tour takes a quarter of an hour.'],
  ['a quarter of an hour in one word', 'Die Führung dauert 15 Minuten.', 'Die Führung dauert eine Viertelstunde.'],
  ['a quarter that is a share', 'The town pays a quarter of the cost.', 'The town pays 25 % of the cost.'],
  ['a numeral of one sign', '手続きは3日かかります。', '手続きは三日かかります。'],
  ['hundreds in words', 'Le permis coûte deux cents euros.', 'Le permis coûte 200 euros.'],
  ['digits of Hindi', 'शुल्क ४० रुपये है।', 'शुल्क 40 रुपये है।'],
  ['every day of a week', 'The pool is open every day.', 'The pool is open Monday to Sunday.'],
  ['every day in one word', 'The pool is open daily.', 'The pool is open from Monday to Sunday.'],
  ['every day in German', 'Das Museum ist jeden Tag geöffnet.', 'Das Museum ist von Montag bis Sonntag geöffnet.'],
  ['a quarter to an hour in English', 'The bus leaves at quarter to eight.', 'The bus leaves at 7:45.'],
  ['a quarter past an hour', 'The bus leaves at quarter past eight.', 'The bus leaves at 8:15.'],
  ['a quarter past an hour in German', 'Der Bus fährt um Viertel nach acht.', 'Der Bus fährt um 8:15 Uhr.'],
  ['midnight in words', 'The bar closes at 0:00.', 'The bar closes at midnight.'],
  ['a date in December', 'The desk opens on 24 December 2026.', 'The desk opens on 24.12.2026.'],
  ['a rate as a number of days', 'A tent costs 20 euros per week.', 'A tent costs 20 euros for 7 days.'],
  ['the first of several', 'Take bus line 1.', 'Take the first bus line.'],
  ['two thirds in words', 'Two thirds of the members must agree.', 'A majority of the members must agree.'],
  ['what happens every few months', 'Residents pay every 3 months.', 'Residents pay, if they own a car, at intervals of 3 months.'],
  ['half an hour before an hour', 'Der Bus fährt um halb acht.', 'Der Bus fährt um 7:30 Uhr.'],
  ['minutes after an hour', 'Der Kurs beginnt um 8 Uhr 15.', 'Der Kurs beginnt um 8:15 Uhr.'],
  ['a duration before a noun', 'The 5-minute tour is open to all.', 'The tour takes 5 minutes and is open to all.'],
  ['an hour without minutes', 'The desk opens at 9:00.', 'Desk: from 9 to 12.'],
  ['minutes after a point, in the evening', 'The pool closes at 18:30.', 'Pool: 3 to 6.30.'],
  ['every day but one', 'The museum is open daily, except on Mondays.', 'The museum is open from Tuesday to Sunday.'],
  ['a day that is left out of four', 'The desk is closed on Fridays.', 'The desk is open from Monday to Thursday.'],
  [
    'an exception from a sentence that is closer',
    'Guide dogs are allowed in the garden and café.',
    'Dogs may not be taken into the garden or the café. Staff enforce this rule, except for guide dogs.',
  ],
  ['cows, where milk is not allowed', '奶牛可以带入花园。', '牛奶不可以带入花店园。'],
  [
    'a Spanish number that is none elsewhere',
    'Tiene dos meses de plazo para presentar la solicitud.',
    'El plazo para presentar la solicitud es de 2 meses.',
  ],
  ['a number of times in one word', 'Sie können die Leihe viermal verlängern.', 'Die Leihe kann 4-mal verlängert werden.'],
  ['an hour without a unit', 'The pool opens at 9:00.', 'The pool opens at 9.'],
  ['a verb that is an English month', 'Bands march through the town.', 'Bands parade through the town.'],
  ['a word that is an English month', 'El mar está a 300 metros.', 'La playa está a 300 metros.'],
  ['a capital after a colon', 'Please note: Registration is free.', 'Enrolment is free.'],
  ['an age limit in other words', 'From 21 you can rent a boat.', 'Nobody under 21 can rent a boat.'],
  ['what is denied of another place', 'Dogs may enter the zoo.', 'Dogs may not enter the pub.'],
  ['a denial of which the source says nothing', 'The north garden is not open at night in winter.', 'The garden is open.'],
  ['a denial of another part', 'The park welcomes dogs.', 'The park welcomes dogs, but not the small park.'],
  [
    'what is free beside the price of something else',
    'Applications are free.',
    'Applications are made online. A parking permit costs 15 euros.',
  ],
  ['what is free beside a duration', 'Applications are free.', 'Applications take 15 days.'],
  [
    'a price whose group has a sentence of its own',
    'Children pay 4 euros for the ticket.',
    'The ticket costs 8 euros. Children pay 4 euros.',
  ],
  [
    'a statement about the sources in Portuguese',
    'Os documentos não dizem se os cães pequenos podem entrar no parque.',
    'Os cães pequenos podem entrar no parque.',
  ],
])('supports %s', (_, sentence, passage) => {
  expect(findMismatch(sentence, [readEvidence(passage)])).toBeNull()
})

test.each([
  ['fact', 'An identity card costs €73.', 'Identity card: €37.'],
  ['fact', 'You pay $37.', 'You pay £37.'],
  ['fact', 'La carte coûte 45 € par an.', 'La carte coûte 45 € par trimestre.'],
  ['fact', 'Register within ten weeks.', 'Register within ten days.'],
  ['fact', 'El plazo termina el 15 de mayo.', 'El plazo termina el 15 de marzo.'],
  ['fact', 'The pool closes at 9 pm.', 'The pool closes at 9 am.'],
  ['fact', 'Das Amt ist am Samstag geöffnet.', 'Das Amt ist Mo–Fr geöffnet.'],
  ['fact', '居民停车证每月收费600元。', '居民停车证每年收费600元。'],
  ['fact', 'Write to help@example.org.', 'E-mail: info@example.org'],
  ['assignment', 'A half plot costs £110.', 'The rent is £60 a year for a half plot and £110 for a full plot.'],
  ['assignment', 'Der Kurs kostet für Erwachsene 30 Euro.', 'Der Kurs kostet 30 Euro für Kinder und 45 Euro für Erwachsene.'],
  ['assignment', 'In 2023 the supplement was 135 euros.', 'The supplement was 120 euros in 2023 and 135 euros in 2024.'],
  ['name', 'The mayor is Karin Holt.', 'The mayor is Elin Sandvik.'],
  ['name', 'Das Amt leitet Frau Berger.', 'Das Amt leitet Frau Weber.'],
  ['negation', 'Tenants can get the heat pump grant.', 'The heat pump grant is open to owners, not to tenants.'],
  ['negation', 'Собак можно выгуливать в парке.', 'Собак нельзя выгуливать в парке.'],
  ['negation', 'La solicitud no se puede presentar por correo.', 'La solicitud se presenta en persona o por correo.'],
  ['negation', 'Applications are free.', 'Applications cost 15 euros.'],
  ['bound', 'The grant is at least 2,000 euros.', 'The grant is at most 2,000 euros.'],
  ['universal', 'All students pay 5 euros.', 'Students under 25 pay 5 euros.'],
  ['fact', 'The desk closes at noon.', 'The desk closes at 10:00.'],
  ['fact', 'Der Bus fährt um Viertel vor acht.', 'Der Bus fährt um 8:15 Uhr.'],
  ['fact', 'The tour takes a quarter of an hour and costs 12 euros.', 'The tour takes 15 minutes and costs 10 euros.'],
  ['fact', 'The boat costs 5 €/h.', 'The boat costs 5 € per day.'],
  ['fact', 'It costs 20 euros a quarter.', 'It costs 20 euros a year.'],
  ['fact', 'El plazo es de dos semanas.', 'El plazo es de 3 semanas.'],
  ['fact', 'الخصم 5٪ للطلاب.', 'الخصم 5 يورو للطلاب.'],
  ['fact', 'You have ten business days.', 'You have 10 days.'],
  ['fact', 'The pool is open every day.', 'The pool is open Monday to Saturday.'],
  ['fact', 'A boat costs 5 euros every day.', 'A boat costs 5 euros on Mondays.'],
  ['assignment', 'The rating of the north beach is 4.5.', 'The rating is 3.8 for the north beach and 4.5 for the south beach.'],
  ['bound', 'With 3 children the grant is at least 2,000 euros.', 'With 3 children the grant is at most 2,000 euros.'],
  ['name', 'Die Leitung hat Karin Berger.', 'Die Leitung hat Karin Weber.'],
  ['name', 'Die Leitung hat Frau Berger.', 'Die Leitung hat Frau Weber.'],
  ['negation', 'Hunde dürfen in den Garten.', 'Hunde dürfen nicht in den Stadtgarten.'],
  ['fact', 'The course costs 5 euros.', 'The tour is free. The course costs 8 euros.'],
  ['fact', 'The office closes on 5 May.', 'The office opens on 12 May and closes on 5 June.'],
  ['fact', 'Take the 5-minute tour.', 'The tour takes 5 hours.'],
  ['fact', 'You have 14 further days.', 'You have 14 further weeks.'],
  ['negation', 'Swimming is not allowed.', 'Swimming is allowed.'],
  ['negation', 'Boats may not land.', 'A boat may land.'],
  ['fact', 'You pay 5 euros a month.', 'You pay 5 euros on Mondays.'],
  ['negation', 'Dogs are not allowed at noon.', 'Dogs are allowed at 12:00.'],
  ['negation', 'The permit is issued without an appointment.', 'The permit is issued with an appointment.'],
  ['negation', 'Dogs are not allowed at 9:00.', 'Dogs are allowed at 9 am.'],
  ['negation', '公园里允许遛狗。', '公园里不允许遛狗。'],
])('finds a different %s: %s', (mismatch, sentence, passage) => {
  expect(findMismatch(sentence, [readEvidence(passage)])).toBe(mismatch)
})

test.each(['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'])('"every day" includes %s', (day) => {
  expect(findMismatch(`The pool is open on ${day}.`, [readEvidence('The pool is open every day.')])).toBeNull()
})

test('reads a sentence without a language in that of the first text', () => {
  const texts = ['Der Reisepass kostet 40 Euro. Sie können ihn im Amt beantragen.', 'The passport costs 40 euros, and you apply in person.']
  expect(findMismatch('Reisepass Personalausweis: 40 Euro', texts.map(readEvidence))).toBeNull()
})

test('compares with all texts together, and finds every number unsupported without one', () => {
  const evidence = ['The fee is 10 euros.', 'It is due in March.'].map(readEvidence)
  expect(findMismatch('The fee of 10 euros is due in March.', evidence)).toBeNull()
  expect(findMismatch('The fee of 10 euros is due in March.', evidence.slice(0, 1))).toBe('fact')
  expect(findMismatch('The fee is 10 euros.', [])).toBe('fact')
  expect(findMismatch('Hello, how can I help?', [])).toBeNull()
})
