/** How well a rule fits: completely, possibly, or not. */
export type Fit = 'whole' | 'near' | 'none'

export const strongest = (allFits: readonly Fit[]): Fit => {
  if (allFits.includes('whole')) return 'whole'
  return allFits.includes('near') ? 'near' : 'none'
}

export const weakest = (allFits: readonly Fit[]): Fit => {
  if (allFits.includes('none')) return 'none'
  return allFits.includes('near') ? 'near' : 'whole'
}
