const MB = 1024 ** 2

/** A limit for people: megabytes, or bytes where it is less than one. */
export const formatLimit = (bytes: number): string => (bytes < MB ? `${bytes} bytes` : `${Math.round(bytes / MB)} MB`)
