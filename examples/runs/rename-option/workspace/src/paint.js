export const paint = options => `painted ${options.colour}`
