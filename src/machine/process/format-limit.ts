const MB = 1024 ** 2

/** Formats a limit for people: in megabytes, or in bytes below one megabyte. */
export const formatLimit = (bytes: number): string => (bytes < MB ? `${bytes} bytes` : `${Math.round(bytes / MB)} MB`)
