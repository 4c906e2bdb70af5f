/** What a file exports, gathered in the order of the source. */
export interface Exported {
  /** Importable names, `default` among them. */
  readonly names: Set<string>
  readonly stars: Set<string>
  /** Names inside the file that are exported, under whatever name. */
  readonly locals: Set<string>
  defaultName: string | undefined
}

export const noExports = (): Exported => ({
  names: new Set(),
  stars: new Set(),
  locals: new Set(),
  defaultName: undefined,
})
