/** A German form of plain language with rules of its own, for people who find reading hard. Offered in German alone, so not translated. */
export const LEICHTE_SPRACHE = {
  label: 'In Leichter Sprache',
  prompt:
    'Erkläre deine letzte Antwort in Leichter Sprache: kurze Sätze, einfache und bekannte Wörter, nur ein Gedanke in jedem Satz, jeder Satz in einer eigenen Zeile.',
}
