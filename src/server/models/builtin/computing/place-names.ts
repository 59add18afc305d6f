/** English names of cities and countries by their German, French and Spanish ones, in lower case without accents. */
export const FOREIGN_PLACE_NAMES: Readonly<Record<string, string>> = zones(`
Asia/Tokyo: tokio, japon
Asia/Shanghai: peking, schanghai, pekin, chine, shanghai
Asia/Hong_Kong: hongkong
Asia/Seoul: sudkorea, coree du sud, coree, corea del sur, corea, seul
Asia/Singapore: singapur, singapour
Asia/Kolkata: indien, inde, neu-delhi, neu delhi, nueva delhi, kalkutta, bombay, mumbai
Asia/Bangkok: thailande, tailandia
Asia/Ho_Chi_Minh: saigon
Asia/Manila: philippinen, filipinas, manille
Asia/Jakarta: indonesien, indonesie, yakarta
Asia/Dubai: emirate, emirats arabes unis, emiratos arabes unidos, dubay
Asia/Riyadh: saudi-arabien, saudiarabien, arabie saoudite, arabia saudita, riad
Asia/Jerusalem: jerusalem, israel
Asia/Tehran: teheran, iran
Asia/Kabul: afghanistan, kaboul
Asia/Baghdad: bagdad, irak
Asia/Beirut: beirut, libanon, liban, libano, beyrouth
Europe/Istanbul: turkei, turquie, turquia, estambul
Europe/Moscow: moskau, moscou, moscu, russland, russie, rusia
Europe/Kyiv: kiew, ucrania, kyjiw
Europe/Athens: athen, athenes, atenas, griechenland, grece, grecia
Europe/Rome: rom, roma, italien, italie, italia, mailand, neapel, venise, venedig, florenz
Europe/Vienna: wien, vienne, viena, osterreich, autriche
Europe/Zurich: zurich, schweiz, suisse, suiza, genf, geneve, ginebra, basel, bale
Europe/Berlin: deutschland, allemagne, alemania, munchen, koln, dusseldorf, stuttgart, leipzig, dresden, hannover, nurnberg, bremen, munich, cologne
Europe/Paris: frankreich, francia, marseille, toulouse, nizza, nice, strassburg, strasbourg, bordeaux, lille
Europe/London: londres, england, grossbritannien, royaume-uni, angleterre, reino unido, inglaterra, grande-bretagne, gran bretana
Europe/Dublin: irland, irlande, irlanda
Europe/Lisbon: lissabon, lisbonne, lisboa, portugal
Europe/Madrid: spanien, espagne, espana, sevilla, valencia, barcelone
Europe/Brussels: brussel, bruxelles, bruselas, belgien, belgique, belgica
Europe/Amsterdam: niederlande, holland, pays-bas, paises bajos
Europe/Copenhagen: kopenhagen, copenhague, danemark, dinamarca
Europe/Stockholm: schweden, suede, suecia, estocolmo
Europe/Oslo: norwegen, norvege, noruega
Europe/Helsinki: finnland, finlande, finlandia
Europe/Warsaw: warschau, varsovie, varsovia, polen, pologne, polonia
Europe/Prague: prag, praga, tschechien, tchequie, chequia
Europe/Budapest: ungarn, hongrie, hungria, hungary
Europe/Bucharest: bukarest, bucarest, rumanien, roumanie, rumania, romania
Europe/Belgrade: belgrad, belgrado, serbien, serbie, serbia
Africa/Cairo: kairo, le caire, caire, el cairo, agypten, egypte, egipto
Africa/Johannesburg: sudafrika, afrique du sud, sudafrica, kapstadt, le cap, ciudad del cabo
Africa/Casablanca: marokko, maroc, marruecos, rabat
Africa/Algiers: algier, alger, argel, algerien, algerie, argelia
Africa/Tunis: tunesien, tunisie, tunez
America/New_York: new york, nueva york, nouvelle york, ny, new york city
America/Los_Angeles: kalifornien, californie, san francisco
America/Mexico_City: mexiko, mexique, mexico, mexiko-stadt, mexiko stadt, ciudad de mexico, mexico city
America/Havana: havanna, la havane, la habana, kuba, cuba
America/Bogota: kolumbien, colombie, colombia
America/Lima: perou
America/Santiago: chili, santiago de chile
America/Argentina/Buenos_Aires: argentinien, argentine
America/Sao_Paulo: brasilien, bresil, brasil
America/Caracas: venezuela
America/Toronto: kanada, canada
Pacific/Auckland: neuseeland, nouvelle-zelande, nueva zelanda
Australia/Sydney: australien, australie, australia
`)

function zones(table: string): Record<string, string> {
  const entries = table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [zone = '', names = ''] = line.split(': ')
      return names.split(', ').map((name): [string, string] => [name, zone])
    })
  return Object.fromEntries(entries)
}
