export interface Suite {
  readonly name: string
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  /** So many files at the same time; one unless given, where times or the machine itself are looked at. */
  readonly workers?: number
}

/** What `npm test` runs, in this order. */
export const suites: readonly Suite[] = [
  { name: 'unit', include: ['src/**/*.test.ts'], exclude: [], workers: 2 },
  { name: 'security', include: ['tests/security/**/*.test.ts'], exclude: [] },
  { name: 'faults', include: ['tests/faults/**/*.test.ts'], exclude: [] },
  { name: 'whole', include: ['tests/**/*.test.ts'], exclude: ['tests/security/**', 'tests/faults/**'] },
]

/** The name of the suite that a test file, given from the repository's root, belongs to. */
export const suiteOf = (file: string): string => {
  if (file.startsWith('src/')) return 'unit'
  const folder = file.split('/')[1]
  return folder === 'security' || folder === 'faults' ? folder : 'whole'
}
