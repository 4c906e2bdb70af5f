/** The calls at which something happens: every so many, from the first one given. */
export interface Moments {
  readonly stride: number
  readonly first?: number
}
