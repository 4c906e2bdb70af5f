/** What leads to a place besides its own path, as of the last look at the workspace. */
export interface PlaceNames {
  /** Returns the links of the workspace that lead to a path, each with the rest of the path after it. */
  namesOf(path: string): readonly string[]
  /** Returns the setting of git that names a path: git runs what is there, or reads it as configuration. */
  settingOf(path: string): string | undefined
}
