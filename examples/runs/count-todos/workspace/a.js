// TODO: remove the cache
export const a = 1
// TODO: name it
