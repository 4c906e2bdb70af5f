/**
 * A glob that begins with `/` starts at the top of the workspace or of the searched directory, not at the root of the
 * disk.
 */
export const relativeGlob = (glob: string): string => glob.replace(/^(!?)\/(?=[^/])/, '$1./')
