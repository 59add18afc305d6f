import type { PageLanguage } from '../../../contract/page-languages.ts'

/** What a question asks for, where its words tell. `whether`: it is answered with yes or no. */
export const QUESTION_KINDS = ['what', 'who', 'why', 'where', 'when', 'how', 'amount', 'whether'] as const
export type QuestionKind = (typeof QUESTION_KINDS)[number]

/** Words and phrases of one language, separated by commas. */
export interface Lexicon {
  /** What means the same in questions. A phrase counts before its words. */
  synonyms: Readonly<Record<string, string>>
  kinds: Readonly<Partial<Record<QuestionKind, string>>>
  negation: string
  past: string
  /** Function words that change what is asked. */
  qualifiers: string
  /** Words that say nothing about what is asked. */
  fillers: string
  /** From two on. */
  numbers: string
}

/** What may be asked of a right, and says little beside what it asks for. */
const RECEIVE_EN = 'can i get, could i get, can we get, can i receive, may i get, may i have'

const EN: Lexicon = {
  synonyms: {
    price:
      'cost, costs, costing, price, prices, priced, pricing, fee, fees, charge, charges, charged, pay, pays, paying, payment, ' +
      'expensive, how expensive, bill, bills, costly, pricey, costed, levy, spend, outlay, cheap, set me back',
    duration:
      'how long, how long until, how many days, how many weeks, how many months, how many weeks until, how many days until, how fast, wait, waiting, waiting time, ' +
      'wait time, processing time, take, takes, duration, ready, finished, how long before, how much time, how soon, how quickly, how long do i have to wait, how long do we have to wait, how long will i have to wait, how many working days, turnaround, turnaround time, arrive, arrives, ' +
      'how soon can i, how soon can we, how quickly can i, how quickly can we, when can i pick up, when can we pick up, when can i collect, when can i expect, when can we expect, when will i get, when will i have, when will i receive, when do i get, when do i receive',
    obtain:
      'apply, applying, application, claim, claiming, order, ordering, request, requesting, obtain, obtaining, book, booking, book, arrange, arranging, organise, organize, schedule, apply for, application, applications, application form, ' +
      'requested, ordered, get hold of, sign up for, put in, submit, submitting, file for, how do i get, how can i get, how do we get, how can we get, how do you get, how to get, getting, ' +
      'where do i get, where can i get, where do we get, where can we get, where to get, where do you get, can i order, can i request, can i book, can we order, can we book, need a copy of, i need, i need a, i need an, i need my, to get, to receive, obtained',
    receive: RECEIVE_EN,
    collection:
      'collect, collected, collecting, collection, collections, collects, come and collect, carted away, taken off, pick up, picked up, pickup, picked, picks up, taken away, take away, taken, removed, remove, removal, hauled away, fetched, come and get',
    disposal:
      'dispose, disposal, disposing, dispose of, to get rid of, get rid, get rid of, getting rid, getting rid of, rid, rid of, throw away, throw out',
    registration: 'register, registers, registered, registering, registration, enrol, enroll, enrolment',
    deadline:
      'by when, deadline, time limit, within how many days, within how many weeks, how soon, how quickly, time do i have, long do i have, how long do i have, how long do i have to, how much time do i have, how much time do i have to, how much time do we have, how much time is there, how long have i got, how much time have i got, ' +
      'how many days do i have, how many weeks do i have, how many days do i have to, how many weeks do i have to, how many days have i got, when do i have to, when do we have to, when must i, when do i need to, when should i, ' +
      'until when do i have to, until when must i, latest, at the latest, how long can i wait, time frame',
    marriage: 'wedding, weddings, marriage, marry, marrying, married, get married, getting married, ceremony, wed, tie the knot',
    move: 'move, moved, moving, moved house, move house, moving house, new address, change of address, relocate, relocating, relocation, moved in, moving in, moved into, moving into, move in, new flat, new apartment, new home, new house, changed address, change address, changing address',
    support:
      'help, helps, support, assistance, aid, subsidy, subsidies, subsidised, grant, grants, allowance, financial help, financial support, financial assistance, help out, pay towards, contribute, contribution, can t afford, cannot afford, helped, helping, relief, who helps, who helps me, who helps us, who can help, who can help me, who can help us',
    discount: 'discount, discounts, reduction, reductions, reduced, rebate, cheaper, pay less',
    fault:
      'broken, fault, faulty, defective, out of order, not working, doesn t work, does not work, isn t working, defect, gone out, out, damaged, gone, dead, dark, failed, broke, doesnt work, does not work, don t work, do not work, isn t on, not lit, won t turn on, stopped working, has stopped working, flickering, malfunctioning, not lighting, burnt out, burned out, burst',
    report: 'report, reporting, reported, notify, tell, contact, call, inform, let know, flag, raise, log',
    entitled:
      'entitled, entitlement, eligible, eligibility, qualify, qualifies, conditions, requirements, requirement, criteria, condition, who can get, who can have, who gets, who may get, who can, who may, can get, can have, aimed at, available to, available for, for whom, intended for, who is eligible, right to, have a right to, do i get, am i allowed, who is allowed, who receives, receive, ' +
      RECEIVE_EN,
    business: 'business, businesses, trade, company, firm, enterprise, shop, own business, own company, small business',
    resident:
      'resident, residents, i live here, we live here, i m living here, i am living here, i m a resident, i am a resident, we are residents',
    year: 'year, yearly, annual, annually, per year, a year, each year, every year',
    month: 'month, monthly, per month, a month, each month, every month',
    count: 'how many',
    frequency: 'how often',
    lamp: 'light, lights, lamp, lamps, lighting, lantern, lamppost, lamp post',
    bulky:
      'bulky waste, bulky items, bulky rubbish, bulky goods, bulky refuse, bulky trash, bulky garbage, bulk waste, large items, big items, old furniture, old sofa, old wardrobe, old mattress, old couch, old armchair, old table, old bed, sofa, couch, wardrobe, mattress, furniture, armchair, bulky item, large item, bulky',
    child: 'child, children, kid, kids, son, daughter, toddler',
    membership: 'membership, member, members, become a member, join, joining, subscription',
    pool: 'pool, swimming pool, swimming baths, baths, swimming',
    certificate: 'certificate, certificates, cert',
    licence: 'licence, licences, license, licenses',
    centre: 'centre, centres, center, centers',
    weekday:
      'monday, mondays, tuesday, tuesdays, wednesday, wednesdays, thursday, thursdays, friday, fridays, saturday, saturdays, sunday, sundays, weekend, weekends, at the weekend, on weekends',
    start: 'start, starts, begin, begins',
    nursery: 'nursery, nurseries, nursery school',
    recycling: 'recycling centre, recycling center, recycling yard, recycling site, recycling depot',
  },
  kinds: {
    what: 'what, which, whats',
    amount:
      'how much, how high, how large, amount, rate, what is the annual, what is the yearly, what is the monthly, whats the annual, whats the yearly, whats the monthly',
    who: 'who, whom, whose, whos',
    why: 'why',
    where: 'where, wheres',
    when:
      'when, what time, what times, until what time, which days, what days, from when, until when, till when, open, opens, opening, opening hours, ' +
      'opening times, hours, business hours, times, opening time, close, closes, closing time, closing times, closing hours, visiting hours, till what time, at what time, what hours, timetable, schedule, opened, days, what day, which day, which hours, up to what time',
    how: 'how, hows, what do i do, what do i have to do, what do i need to do, what must i do, what should i do, what to do, what are the steps, steps, procedure, process, what is the procedure',
    whether: 'is, are, am, do, does, can, could, may, must, should, will, would, has, have, was, were, did',
  },
  negation: 'not, no, never, t, without, cannot, nobody, none, dont, cant, doesnt, isnt',
  past: 'did, was, were, had, used',
  qualifiers:
    'before, after, other, another, more, less, only, until, since, under, over, again, all, both, own, few, else, someone, somebody, last, next, most, up, down, too, than, myself, ourselves, yourself, themselves',
  fillers:
    'question, info, information, wondering, wonder, looking, trying, interested, find, out about, find out, curious, exactly, currently, nowadays, now, today, ' +
    'dear, sir, madam, work, works, way, have to, need to, can you tell me, could you tell me, can you please tell, could you please tell, tell me, tell us, help me, help us, supposed, visit, visiting, come, come to, bring things, bring my things, bring stuff, drop off things, these days, at the moment, at present, right now, presently, planning, planning to, plan to, ' +
    'thinking of, considering, hoping, to the city, to this city, to town, i own, we own, just, recently, possible, possibly, able, im, ive, pls, plz, thx, quick, gotta, got to, wanna, live, living, i live, people, person, persons, anyone, anybody, everyone, citizen, citizens, parents, ' +
    'in front of my house, outside my house, in front of our house, near my house, at my house, near me, in town, in the town, in the city, in this city, in our city, in our town, here, around here, my own, our own, towards, ' +
    'please tell, can anyone tell me, i d like to know, i want to know, i need to know, do you know, any idea, got, s, altogether, in total, total, roughly, approximately, about, approx, normal, standard, regular, ' +
    'need to, i need to, we need to, copy of, a copy of, the copy of, for the first time, the first time, per, usually, normally, go, going',
  numbers: 'two, three, four, five, six, seven, eight, nine, ten, twice, half, second, third, fourth',
}

const DE: Lexicon = {
  synonyms: {
    price:
      'wie teuer, kosten, kostet, gebühr, gebühren, preis, preise, teuer, zahlen, zahle, zahlt, bezahlen, bezahle, bezahlt, entrichten, betrag, beitrag, kostenpunkt, kostenpflichtig, kostenhöhe, zu zahlen, teure, tarif, tarife, beiträge, entgelt, kosten für',
    duration:
      'wie lange, dauert, dauer, dauern, wartezeit, bearbeitungszeit, wie viele tage, wie viele wochen, warten, wie lang, wie viel zeit, wann fertig, fertig, wann kommt, wartezeiten',
    obtain:
      'beantragen, beantrage, antrag, bestellen, bestelle, anfordern, anfordere, erhalten, erhalte, buchen, buche, besorgen, beantragung, bestellung, antragstellung, wie bekomme ich, wo bekomme ich, wie komme ich an, wo kriege ich, wie kriege ich',
    collection: 'abholen, abgeholt, abholung, abholt, holt',
    registration: 'anmelden, anmelde, anmeldung, angemeldet, registrieren, registrierung',
    deadline: 'bis wann, frist, fristen, wie schnell',
    marriage: 'heiraten, heirat, hochzeit, trauung, eheschließung',
    move: 'umzug, umziehen, umgezogen, umziehe',
    support: 'hilfe, unterstützung, zuschuss, beihilfe, hilft',
    discount:
      'rabatt, ermäßigung, ermäßigungen, nachlass, vergünstigung, vergünstigungen, weniger, günstiger, billiger, rabatte, nachlässe, weniger zahlen, reduziert, verbilligt, kostenermäßigung, gebührenermäßigung,  ermäßigt, preisnachlass, reduzierung',
    siblings:
      'geschwister, geschwistern, geschwisterkind, geschwisterkinder, geschwisterkindern, bruder, schwester, geschwistern, mehrere kinder, zwei kinder, zweitkind, 2 kinder, 2 kind, zweites kind, zweite kind, zweiten kind',
    count: 'wie viele, wieviele',
    frequency: 'wie oft',
    nursery: 'kita, kitas, kindergarten, kindertagesstätte, kindertagesstätten, kindertageseinrichtung',
    fault: 'kaputt, defekt, störung',
    nightQuiet:
      'nachtruhe, nachts leise sein, nachts ruhig sein, nachts leise, nachts ruhig, nachts ruhe, in der nacht leise sein, in der nacht ruhig sein, abends leise sein, abends ruhig sein',
    conductCertificate:
      'führungszeugnis, führungszeugnisses, polizeiliches führungszeugnis, polizeilichen führungszeugnisses, polizeiliche führungszeugnis',
    report: 'melden, melde, meldung',
    start: 'beginnt, beginn, beginnen, anfängt, anfangen, fängt, startet, starten, los, losgeht, geht los, gilt, gelten, anfang, geht',
    weekday:
      'montag, montags, dienstag, dienstags, mittwoch, mittwochs, donnerstag, donnerstags, freitag, freitags, samstag, samstags, sonntag, sonntags, wochenende',
    year: 'jahr, jährlich, pro jahr, im jahr',
    month: 'monat, monatlich, pro monat, im monat',
  },
  kinds: {
    what: 'was, welche, welcher, welches, welchen',
    amount: 'wie viel, wieviel, wie hoch, höhe',
    who: 'wer, wem, wen, wessen, für wen',
    why: 'warum, wieso, weshalb',
    where: 'wo, woher, wohin',
    when:
      'wann, ab wann, von wann bis wann, wieviel uhr, wie viel uhr, wie spät, welche uhrzeit, welcher uhrzeit, uhrzeit, uhrzeiten, welchen tagen, welchem tag, welche tage, ' +
      'welchen wochentagen, uhr, geöffnet, offen, öffnungszeiten, öffnungszeit, öffnet, öffnen, zeiten, zeit, zeitraum, uhrzeitraum, zu welchen zeiten, zu welcher zeit, welche zeiten, welche zeit, schließt, schließzeiten, tage, wochentage, wochentag, an welchem tag, an welchen tagen, welcher tag, tagen, macht auf, macht zu, aufmacht, marktzeiten, marktzeit, ruhezeit, ruhezeiten',
    how: 'wie',
    whether:
      'ist, sind, bin, kann, können, darf, dürfen, muss, müssen, soll, sollte, hat, haben, habe, gibt, gibts, bekommen, bekomme, bekommt, war, zahle, zahlt, kostet, brauche',
  },
  negation: 'nicht, kein, keine, keinen, keiner, keinem, nie, niemals, ohne, niemand',
  past: 'war, waren, hatte, hatten, gab, wurde, wurden, kostete',
  qualifiers:
    'vor, nach, andere, anderen, anderer, mehr, nur, seit, unter, über, wieder, alle, beide, letzten, letztes, nächsten, nächstes, außer, gegen, während, zwischen, selbst, selber',
  fillers:
    'fallen, fällt, anfallen, hier, bei uns, in der stadt, in dieser stadt, in meiner stadt, nachts, abend, nacht, normales, normale, eigentliche, einhalten, eingehalten, beachten, man, dich, wissen sie, weiß jemand, ich möchte wissen, ich wüsste gern, ausstellen, ausstellung, ausgestellt, derzeitig, aktuelle, aktuellen, insgesamt, etwa, circa, ca, immer, regelmäßig, normalerweise, gewöhnlich, ' +
    'zurzeit, zur zeit, heutzutage, gerade, frage, info, infos, information, informationen, eigentlich, aktuell, derzeit, momentan, genau, wissen, erfahren, interessiert, heute, jetzt, ungefähr, ' +
    'bekommt, bekommen, bekomme, gibt, gehen, geht, können sie mir sagen, kannst du mir sagen, können sie mir bitte, hilf mir, helfen sie mir, abends, ab, um, zu, stattfindet, findet, statt, wie geht das, denn, überhaupt, los',
  numbers: 'zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, zweimal, halb, zweite, zweites, zweiten, dritte, drittes, dritten',
}

const FR: Lexicon = {
  synonyms: {
    price: 'prix, coût, coûte, coûtent, coûter, tarif, tarifs, frais, payer, cher',
    duration: 'combien de temps, durée, délai, dure',
    obtain: 'demander, demande, obtenir, commander, réserver',
    registration: 'inscrire, inscription, enregistrer',
    year: 'an, année, annuel, annuelle',
  },
  kinds: {
    what: 'que, quel, quelle, quels, quelles',
    amount: 'combien',
    who: 'qui',
    why: 'pourquoi',
    where: 'où',
    when: 'quand, quelle heure, quelles heures, quels jours, ouvert, ouverte, ouverts, ouverture, horaires, ouvre',
    how: 'comment',
    whether: 'est, peut, puis, dois, faut, existe',
  },
  negation: 'ne, pas, jamais, sans, aucun, aucune, non',
  past: 'était, étaient, avait, coûtait',
  qualifiers:
    'avant, après, autre, autres, plus, moins, seulement, depuis, sous, sur, encore, tous, toutes, dernier, dernière, prochain, prochaine',
  fillers: 'question, information, informations, actuellement, exactement, savoir, fait, il y a',
  numbers: 'deux, trois, quatre, cinq, six, sept, huit, neuf, dix, demi, deuxième, second, seconde, troisième',
}

const ES: Lexicon = {
  synonyms: {
    price: 'precio, precios, costo, coste, cuesta, cuestan, costar, tarifa, tarifas, tasa, pagar, pago, caro',
    duration: 'cuánto tiempo, cuanto tiempo, duración, plazo, tarda, demora',
    obtain: 'solicitar, solicito, solicitud, pedir, pido, obtener, reservar',
    registration: 'registrar, registro, inscribir, inscripción, empadronar',
    year: 'año, anual',
  },
  kinds: {
    what: 'qué, cuál, cuáles',
    amount: 'cuánto, cuanto',
    who: 'quién, quien, quiénes',
    why: 'por qué',
    where: 'dónde, donde',
    when: 'cuándo, cuando, qué hora, qué días, abierto, abierta, abre, abren, horario, horarios, apertura',
    how: 'cómo, como',
    whether: 'es, hay, puedo, puede, debo, tengo, existe',
  },
  negation: 'no, nunca, sin, ningún, ninguna',
  past: 'era, había, fue, costaba, costó',
  qualifiers: 'antes, después, otro, otra, más, menos, solo, desde, bajo, sobre, todos, todas, último, última, próximo, próxima',
  fillers: 'pregunta, información, actualmente, exactamente, saber',
  numbers: 'dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, medio, segundo, segunda, tercero, tercera',
}

/** What a group of synonyms says already, so that its words don't count beside it. */
export const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  '=price': ['=year', '=obtain', '=receive'],
  '=discount': ['=price', '=receive'],
  '=support': ['=price', '=receive'],
  '=duration': ['?when', '=obtain', '=receive'],
  '=deadline': ['?when', '=duration'],
  '?when': ['=weekday', '=start'],
  '=entitled': ['?who', '?whether', '?what'],
  '=obtain': ['?where', '?how', '=receive'],
  '=report': ['?where', '?how', '?who'],
  '=collection': ['?how', '=obtain', '=receive', '=disposal'],
  '=disposal': ['?how'],
}

/** What a visitor may say of themselves: counts only where a paraphrase says it too. */
export const OPTIONAL: ReadonlySet<string> = new Set(['=resident'])

/** In other languages, words are compared as they are. */
export const LEXICONS: Readonly<Partial<Record<PageLanguage, Lexicon>>> = { en: EN, de: DE, fr: FR, es: ES }
