/** Name of the cache of the visitor's data for offline use. */
export const OFFLINE_CACHE = 'offline'

/** Path of cached files in it, each under its id. */
export const OFFLINE_FILES = '/offline/files/'
