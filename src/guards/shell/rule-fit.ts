/** How well a rule fits: completely, possibly, or not. */
export type Fit = 'whole' | 'near' | 'none'

export const strongest = (fits: readonly Fit[]): Fit => {
  if (fits.includes('whole')) return 'whole'
  return fits.includes('near') ? 'near' : 'none'
}

export const weakest = (fits: readonly Fit[]): Fit => {
  if (fits.includes('none')) return 'none'
  return fits.includes('near') ? 'near' : 'whole'
}
