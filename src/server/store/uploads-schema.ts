/** A document that staff have uploaded. */
interface UploadTable {
  id: string
  /** Name of the file, by which it is cited; in small and capital letters as it was sent. */
  name: string
  /** In place of the document's own; null for that. */
  title: string | null
  /** Who answers for it. */
  owner: string
  /** BCP 47 tag; null if nobody said. */
  language: string | null
  /** Last day on which it answers, ISO date in UTC; null for no end. */
  valid_until: string | null
  /** Changes with everything that is changed of it. */
  revision: number
  /** Number of the version that answers. */
  version: number
  created_at: number
  changed_at: number
}

/** A content that an uploaded document has or had. */
interface UploadVersionTable {
  upload_id: string
  number: number
  /** Name of the file that was sent. */
  name: string
  /** SHA-256 of the content, hex. */
  hash: string
  /** Bytes of the content. */
  size: number
  /** Of its text. */
  characters: number
  /** ISO date that the document states, or that of its upload. */
  as_of: string
  created_at: number
  /** `ExtractedDocument`, JSON. */
  document: string
  content: Uint8Array
}

export interface UploadsSchema {
  uploads: UploadTable
  upload_versions: UploadVersionTable
}
