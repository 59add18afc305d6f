import { expect, test } from 'vitest'
import { fold } from '../../../text/fold.ts'
import { partsOf, readTokens, stemsOf, termsOf, tokensOf, wordsOf } from './analyzer.ts'
import { isStopWord, type Language, stemmerLanguageOf } from './grammars.ts'

const share = (one: readonly string[], other: readonly string[]) => one.some((stem) => other.includes(stem))

test.each<[Language, text: string, form: string, other: string, functionWord: string]>([
  ['english', 'The houses are open on Monday and we are closed on Sunday.', 'houses', 'house', 'and'],
  ['german', 'Die Häuser sind am Montag geöffnet.', 'Häuser', 'Haus', 'und'],
  ['french', 'Les maisons sont ouvertes le lundi et fermées le dimanche.', 'maisons', 'maison', 'et'],
  ['spanish', 'Las casas están abiertas los lunes y cerradas los domingos.', 'información', 'informacion', 'y'],
  ['italian', 'Le case sono aperte il lunedì e chiuse la domenica.', 'gatti', 'gatto', 'e'],
  ['portuguese', 'As casas não abrem na segunda-feira e fecham no domingo.', 'casas', 'casa', 'e'],
  ['dutch', 'De huizen zijn op maandag open en niet op zondag.', 'boeken', 'boek', 'en'],
  ['swedish', 'Husen är öppna på måndag och inte på söndag.', 'husen', 'hus', 'och'],
  ['danish', 'Husene er ikke åbne på mandag, men de åbner efter tirsdag.', 'husene', 'hus', 'og'],
  ['norwegian', 'Husene er ikke åpne på mandag, men de åpner etter tirsdag.', 'husene', 'hus', 'og'],
  ['finnish', 'Talot ovat auki, mutta ne eivät ole auki sunnuntaina.', 'talossa', 'talot', 'ja'],
  ['hungarian', 'A házak hétfőn nyitva vannak, de vasárnap nem.', 'könyvtárban', 'konyvtar', 'és'],
  ['romanian', 'Casele sunt deschise luni și nu sunt deschise duminică.', 'bibliotecii', 'biblioteca', 'și'],
  ['turkish', 'Evler pazartesi açık ama pazar günü için değil.', 'evler', 'ev', 've'],
  ['indonesian', 'Rumah itu tidak buka pada hari Minggu dan untuk umum.', 'rumahnya', 'rumah', 'dan'],
  ['irish', 'Tá na tithe ar oscailt agus níl siad dúnta.', 'leabharlanna', 'leabharlanna', 'agus'],
  ['lithuanian', 'Namai yra atidaryti nuo pirmadienio ir uždaryti iki antradienio.', 'bibliotekos', 'biblioteka', 'ir'],
  ['russian', 'Дома открыты в понедельник и закрыты в воскресенье.', 'книги', 'книга', 'и'],
  ['bulgarian', 'Къщите са отворени в понеделник, но не са отворени в неделя.', 'библиотеката', 'библиотека', 'са'],
  ['ukrainian', 'Будинки відчинені й зачинені, але коли це так, що ми знаємо.', 'бібліотеки', 'бібліотека', 'що'],
  ['greek', 'Τα σπίτια είναι ανοιχτά και δεν κλείνουν με τη βροχή.', 'βιβλιοθήκης', 'ΒΙΒΛΙΟΘΗΚΗ', 'και'],
])(
  'a text in the language %s is known by its function words, and its words by their stems',
  (language, text, form, other, functionWord) => {
    expect(stemmerLanguageOf(text)).toBe(language)
    expect(share(stemsOf(form, [language]), stemsOf(other, [language]))).toBe(true)
    expect([isStopWord(functionWord, [language]), isStopWord(form, [language])]).toEqual([true, false])
  },
)

test.each([
  'Biblioteka jest zamknięta w niedziele i święta, dlatego proszę przyjść wcześniej.',
  'Hồ bơi mở cửa lúc chín giờ.',
  '図書館は九時に開きます。',
])('of %s, no language with a stemmer is assumed', (text) => {
  expect(stemmerLanguageOf(text)).toBe('other')
})

test('words of another script than the language’s are stemmed by theirs', () => {
  expect(stemsOf('книги', ['german', 'russian'])).toEqual(stemsOf('книга', ['russian']))
})

test.each([
  ['German umlauts', ['Öffnungszeiten', 'Oeffnungszeiten', 'Offnungszeiten', 'ÖFFNUNGSZEITEN']],
  ['German sharp s', ['Straße', 'Strasse', 'STRASSE', 'Straßen']],
])('%s make no difference', (_, spellings) => {
  for (const spelling of spellings) expect(share(stemsOf(spelling, ['german']), stemsOf(spellings[0] ?? '', ['german']))).toBe(true)
})

test('Turkish words are found with both letters i', () => {
  for (const spelling of ['ısparta', 'ISPARTA', 'İsparta', 'isparta'])
    expect(share(stemsOf(spelling, ['turkish']), stemsOf('Isparta', ['turkish']))).toBe(true)
})

test.each([
  ['2.000', ['2000']],
  ['1.234,50 €', ['1234', '50', '€']],
  ['1 234,50', ['1234', '1', '234', '50']],
  ['100 200 300', ['100200300', '100', '200', '300']],
  ['1,234,567', ['1234567']],
  ['٢٠٠٠', ['٢٠٠٠']],
  ['28.11.2026', ['28', '11', '2026']],
  ['version 10.100.12', ['version', '10', '100', '12']],
  ['030 123456', ['030', '123456']],
])('the number %s is read as %j', (text, tokens) => {
  expect(tokensOf(text)).toEqual(tokens)
})

test.each([
  ['Arabic articles, prefixes and endings', ['الأرشيف', 'ارشيف', 'والارشيف', 'بالأرشيف', 'للأرشيف', 'أَرْشِيف']],
  ['Arabic plurals and their feminine letter', ['المكتبات', 'مكتبه', 'مكتبة', 'لمكتبة']],
  ['Persian plurals, joined or not, and Arabic letters', ['کتابخانه‌ها', 'کتابخانه', 'كتابخانه', 'کتابخانه‌های', 'کتابخانه‌ای']],
  ['Hebrew prefixes, plurals and points', ['הספריות', 'ספרייה', 'בספריה', 'לספריות', 'וּבַסִּפְרִיָּה']],
  ['Hindi cases and plurals', ['दुकान', 'दुकानें', 'दुकानों']],
  ['Hindi dots', ['हिन्दी', 'हिंदी']],
  ['Korean particles', ['주차장', '주차장은', '주차장에서는', '주차장까지']],
  ['Korean particles after a syllable', ['책', '책이', '책을']],
  ['Korean verbs made of nouns', ['등록', '등록하려면', '등록합니까']],
  ['Japanese kana', ['ゴミ', 'ごみ']],
  ['digits', ['2000', '٢٠٠٠', '۲۰۰۰', '२०००']],
])('%s make no difference', (_, [first = '', ...others]) => {
  for (const other of others) expect([other, share(stemsOf(other, ['other']), stemsOf(first, ['other']))]).toEqual([other, true])
})

test('Hindi vowel signs tell words apart', () => {
  const words = ['दान', 'दिन', 'दूध', 'कर', 'कार', 'कर्म']
  expect(new Set(words.flatMap((word) => stemsOf(word, ['other']))).size).toBe(words.length)
})

test('text without spaces has the words of a dictionary, and pairs of characters', () => {
  expect(tokensOf('駐車場は open 月')).toEqual(['駐車', '場', '車場', '場は', 'open', '月'])
  expect(readTokens('駐車場はどこですか', 'query').map(({ text }) => text)).toEqual(['駐車', '場', '車場'])
  expect(wordsOf('停车场在哪里？')).toEqual(['停车'])
  expect(tokensOf('สระว่ายน้ำ')).toContain('ว่าย')
  expect(tokensOf('iPhone用')).toEqual(['iPhone', '用'])
})

test('an identifier has the terms of its parts', () => {
  expect(termsOf('max_connections', ['other'])).toEqual(['max_connections', 'max', ...stemsOf('connections', ['other'])])
  expect(termsOf('DocumentRoot', ['other'])).toEqual(['documentroot', 'document', 'root'])
  expect([partsOf('pumps'), partsOf('_pumps'), partsOf('Pumps')]).toEqual([[], ['pumps'], []])
})

test('a long token counts by its beginning', () => {
  expect(stemsOf('q'.repeat(500), ['other'])).toEqual(stemsOf('q'.repeat(64), ['other']))
  expect(stemsOf('q'.repeat(500), ['other'])).not.toEqual(stemsOf('q'.repeat(63), ['other']))
})

test('numbers and identifiers have no other forms', () => {
  expect(stemsOf('Pumps_2s', ['english'])).toEqual(['pumps_2s'])
  expect(stemsOf('Pumps', ['english'])).toEqual(['pump'])
})

test('accents and case make no difference', () => {
  expect(['Élan', 'STRAßE', 'ｗｉｄｅ'].map(fold)).toEqual(['elan', 'strasse', 'wide'])
})
