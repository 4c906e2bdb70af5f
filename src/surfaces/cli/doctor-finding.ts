/** One finding of the doctor. */
export interface Finding {
  readonly state: 'good' | 'limited' | 'bad'
  readonly about: string
  readonly text: string
}
