import { fold } from '../../../../text/fold.ts'
import { FOREIGN_PLACE_NAMES } from './place-names.ts'

/** Common place names that are no cities of the time zone database, with the zone of their capital or largest city. */
const COMMON_NAMES: Record<string, string> = {
  utc: 'UTC',
  gmt: 'UTC',
  z: 'UTC',
  zulu: 'UTC',
  et: 'America/New_York',
  est: 'America/New_York',
  edt: 'America/New_York',
  eastern: 'America/New_York',
  ct: 'America/Chicago',
  cst: 'America/Chicago',
  cdt: 'America/Chicago',
  central: 'America/Chicago',
  mt: 'America/Denver',
  mst: 'America/Denver',
  mdt: 'America/Denver',
  mountain: 'America/Denver',
  pt: 'America/Los_Angeles',
  pst: 'America/Los_Angeles',
  pdt: 'America/Los_Angeles',
  pacific: 'America/Los_Angeles',
  cet: 'Europe/Paris',
  cest: 'Europe/Paris',
  bst: 'Europe/London',
  ist: 'Asia/Kolkata',
  jst: 'Asia/Tokyo',
  'new york city': 'America/New_York',
  nyc: 'America/New_York',
  boston: 'America/New_York',
  miami: 'America/New_York',
  washington: 'America/New_York',
  'washington dc': 'America/New_York',
  atlanta: 'America/New_York',
  philadelphia: 'America/New_York',
  la: 'America/Los_Angeles',
  'san francisco': 'America/Los_Angeles',
  'san diego': 'America/Los_Angeles',
  seattle: 'America/Los_Angeles',
  'las vegas': 'America/Los_Angeles',
  california: 'America/Los_Angeles',
  houston: 'America/Chicago',
  dallas: 'America/Chicago',
  austin: 'America/Chicago',
  texas: 'America/Chicago',
  montreal: 'America/Toronto',
  ottawa: 'America/Toronto',
  hawaii: 'Pacific/Honolulu',
  'rio de janeiro': 'America/Sao_Paulo',
  rio: 'America/Sao_Paulo',
  brasilia: 'America/Sao_Paulo',
  brazil: 'America/Sao_Paulo',
  argentina: 'America/Argentina/Buenos_Aires',
  mexico: 'America/Mexico_City',
  peru: 'America/Lima',
  chile: 'America/Santiago',
  england: 'Europe/London',
  uk: 'Europe/London',
  britain: 'Europe/London',
  'united kingdom': 'Europe/London',
  manchester: 'Europe/London',
  scotland: 'Europe/London',
  edinburgh: 'Europe/London',
  ireland: 'Europe/Dublin',
  germany: 'Europe/Berlin',
  munich: 'Europe/Berlin',
  hamburg: 'Europe/Berlin',
  frankfurt: 'Europe/Berlin',
  cologne: 'Europe/Berlin',
  france: 'Europe/Paris',
  lyon: 'Europe/Paris',
  spain: 'Europe/Madrid',
  barcelona: 'Europe/Madrid',
  italy: 'Europe/Rome',
  milan: 'Europe/Rome',
  portugal: 'Europe/Lisbon',
  switzerland: 'Europe/Zurich',
  geneva: 'Europe/Zurich',
  bern: 'Europe/Zurich',
  austria: 'Europe/Vienna',
  netherlands: 'Europe/Amsterdam',
  belgium: 'Europe/Brussels',
  poland: 'Europe/Warsaw',
  sweden: 'Europe/Stockholm',
  norway: 'Europe/Oslo',
  denmark: 'Europe/Copenhagen',
  finland: 'Europe/Helsinki',
  greece: 'Europe/Athens',
  turkey: 'Europe/Istanbul',
  ankara: 'Europe/Istanbul',
  ukraine: 'Europe/Kyiv',
  kyiv: 'Europe/Kyiv',
  kiev: 'Europe/Kyiv',
  russia: 'Europe/Moscow',
  'st petersburg': 'Europe/Moscow',
  czechia: 'Europe/Prague',
  india: 'Asia/Kolkata',
  kolkata: 'Asia/Kolkata',
  mumbai: 'Asia/Kolkata',
  delhi: 'Asia/Kolkata',
  'new delhi': 'Asia/Kolkata',
  bangalore: 'Asia/Kolkata',
  bengaluru: 'Asia/Kolkata',
  chennai: 'Asia/Kolkata',
  china: 'Asia/Shanghai',
  beijing: 'Asia/Shanghai',
  shenzhen: 'Asia/Shanghai',
  japan: 'Asia/Tokyo',
  osaka: 'Asia/Tokyo',
  kyoto: 'Asia/Tokyo',
  korea: 'Asia/Seoul',
  'south korea': 'Asia/Seoul',
  vietnam: 'Asia/Ho_Chi_Minh',
  hanoi: 'Asia/Ho_Chi_Minh',
  thailand: 'Asia/Bangkok',
  indonesia: 'Asia/Jakarta',
  philippines: 'Asia/Manila',
  pakistan: 'Asia/Karachi',
  iran: 'Asia/Tehran',
  israel: 'Asia/Jerusalem',
  'tel aviv': 'Asia/Jerusalem',
  uae: 'Asia/Dubai',
  'abu dhabi': 'Asia/Dubai',
  'saudi arabia': 'Asia/Riyadh',
  egypt: 'Africa/Cairo',
  nigeria: 'Africa/Lagos',
  kenya: 'Africa/Nairobi',
  'south africa': 'Africa/Johannesburg',
  'cape town': 'Africa/Johannesburg',
  morocco: 'Africa/Casablanca',
  canberra: 'Australia/Sydney',
  'new zealand': 'Pacific/Auckland',
  wellington: 'Pacific/Auckland',
  'hong kong': 'Asia/Hong_Kong',
  nepal: 'Asia/Kathmandu',
}

let zonesByCity: Map<string, string> | undefined

/**
 * IANA zone of a place: a zone name, a city of the time zone database, or a common name. Ignores case and accents. `undefined` if
 * unknown.
 */
export function timeZoneOf(place: string): string | undefined {
  const name = plainName(place)
  if (name === '') return undefined
  zonesByCity ??= indexZones()
  if (Object.hasOwn(COMMON_NAMES, name)) return COMMON_NAMES[name]
  if (Object.hasOwn(FOREIGN_PLACE_NAMES, name)) return FOREIGN_PLACE_NAMES[name]
  return zonesByCity.get(name) ?? zonesByCity.get(name.split(',')[0]?.trim() ?? '')
}

function indexZones(): Map<string, string> {
  const zones = new Map<string, string>()
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    zones.set(plainName(zone), zone)
    const city = plainName(zone.slice(zone.lastIndexOf('/') + 1))
    if (!zones.has(city)) zones.set(city, zone)
  }
  return zones
}

function plainName(place: string): string {
  return fold(place)
    .replaceAll('_', ' ')
    .replace(/[.?!]/g, '')
    .replace(/^the\s+/, '')
    .replace(/\s+(?:time|timezone)$/, '')
    .trim()
}
