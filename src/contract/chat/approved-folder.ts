/** Folder of the knowledge whose files are approved answers: given as they are, and never searched. */
export const APPROVED_FOLDER = 'approved'

/** Whether a source is an approved answer, by the name of its file. */
export function isApprovedAnswer(file: string): boolean {
  return file.startsWith(`${APPROVED_FOLDER}/`)
}
