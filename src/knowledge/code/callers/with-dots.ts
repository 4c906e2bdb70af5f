/** A name with dots for whatever a language puts between its parts: `M::A#go`, `App\Cart`. */
export const withDots = (name: string): string => name.replaceAll(/::|\\|(?<=\w)#/g, '.')
