/** One thing that the doctor has to say. */
export interface Finding {
  readonly state: 'good' | 'limited' | 'bad'
  readonly about: string
  readonly text: string
}
