/** English unit names by their German, French and Spanish ones, in lower case without accents. */
export const FOREIGN_UNIT_NAMES: ReadonlyMap<string, string> = units(`
km: kilometern, kilometro, kilometros
m: metern, metro, metros
cm: zentimeter, zentimetern, centimetre, centimetres, centimetro, centimetros
mm: millimetern, millimetro, milimetro, milimetros
mile: meile, meilen, mille, milles, milla, millas
ft: fuss, pied, pieds, pie, pies
inch: zoll, pouce, pouces, pulgada, pulgadas
yard: yarda, yardas
nautical mile: seemeile, seemeilen, mille marin, milles marins, milla nautica, millas nauticas
kg: kilogramm, kilogramme, kilogrammes, kilogramo, kilogramos
g: gramm, gramme, grammes, gramo, gramos
lb: pfund, livre, livres, libra, libras
oz: unze, unzen, once, onces, onza, onzas
tonne: tonnen, tonelada, toneladas
l: litern, litro, litros
ml: milliliter, millilitern, millilitre, mililitro, mililitros
gallon: gallone, gallonen, galon, galones, galones
cup: tasse, tassen, tasses, taza, tazas
celsius: grad, grad celsius, degre celsius, degres celsius, degres, degree, degrees, grado celsius, grados celsius, grados centigrados, grados
fahrenheit: grad fahrenheit, degre fahrenheit, degres fahrenheit, grado fahrenheit, grados fahrenheit
s: sekunde, sekunden, seconde, secondes, segundo, segundos
min: minuten, minuto, minutos
hour: stunde, stunden, heure, heures, hora, horas
day: tag, tage, tagen, jour, jours, dia, dias
week: woche, wochen, semaine, semaines, semana, semanas
month: monat, monate, monaten, mois, mes, meses
year: jahr, jahre, jahren, an, ans, annee, annees, ano, anos
km/h: stundenkilometer, kilometer pro stunde, kilometres par heure, kilometre par heure, kilometros por hora
mph: meilen pro stunde, milles a l'heure, millas por hora
kcal: kilokalorien, kilokalorie, kilocalorias, kilocaloria
cal: kalorien, kalorie, calorias, caloria
square meter: quadratmeter, quadratmetern, metres carres, metre carre, metros cuadrados, metro cuadrado
acre: acres
hectare: hektar, hectarea, hectareas
horsepower: pferdestarken, chevaux, caballos
`)

function units(table: string): ReadonlyMap<string, string> {
  const entries = table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [english = '', names = ''] = line.split(': ')
      return names.split(', ').map((name): [string, string] => [name, english])
    })
  return new Map(entries)
}
