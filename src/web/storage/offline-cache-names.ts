/** The cache of what is kept of the visitor's for the time without a connection. */
export const OFFLINE_CACHE = 'kept'

/** Where the files of kept chats are in it, each under its id. */
export const OFFLINE_FILES = '/kept/files/'
