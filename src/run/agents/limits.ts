/** Limits of an announcement: a coordinator refuses more. */
export const maxNameLength = 100
export const maxThreads = 1024
