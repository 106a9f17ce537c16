/** Of what an agent announces: a coordinator refuses more. */
export const maxNameLength = 100
export const maxThreads = 1024
