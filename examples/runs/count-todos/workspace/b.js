export const b = 2 // TODO: why two?
