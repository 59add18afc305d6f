/** Words before which a capitalised German word is a name. */
export const CAPITALISED_IN_GERMAN: ReadonlySet<string> = new Set('herr herrn frau dr prof professor professorin'.split(' '))

/** Capitalised words that are no names by themselves: titles, and what is often a part of names. */
export const TITLES: ReadonlySet<string> = new Set(
  (
    'i mr mrs ms miss dr prof sir madam mayor professor herr herrn frau mme mlle monsieur madame maire sr sra don doña señor señora sig signor signora ' +
    'city town village council office department ministry act law bylaw section street road park school library museum hall centre center station court ' +
    'service agency authority government state district region county university hospital church committee board chapter article english ' +
    'ville mairie commune rue conseil préfecture état loi bureau ayuntamiento ciudad ley estado calle oficina comune città legge ufficio via câmara cidade lei rua ' +
    'администрация закон'
  ).split(' '),
)
