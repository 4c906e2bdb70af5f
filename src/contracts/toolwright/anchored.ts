/** A glob that begins with `/` means the top of the workspace, or of the directory that is searched, and no root of the disk. */
export const anchored = (glob: string): string => glob.replace(/^(!?)\/(?=[^/])/, '$1./')
