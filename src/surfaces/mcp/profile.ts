/** Subsets of our own tools that a client can request, for a model that needs a short list. */
const PROFILES = {
  core: ['read', 'write', 'edit', 'patch', 'list', 'find', 'grep', 'run', 'undo'],
} as const

export type Profile = keyof typeof PROFILES

export const PROFILE_NAMES: readonly string[] = Object.keys(PROFILES)

export const isProfile = (text: string): text is Profile => Object.hasOwn(PROFILES, text)

/** Reports whether a tool of our own contract is in a profile. Without a profile, all are. */
export const isInProfile = (tool: string, profile: Profile | undefined): boolean =>
  profile === undefined || PROFILES[profile].some(name => name === tool)
