/** Lower-case variable names mean nothing to programs and shells, except these. */
const TAME = /^(?!.*proxy|npm_|histchars$|auto_resume$|.*path$|argv$|status$|prompt$|watch$|fignore$)[a-z][a-z0-9_]*$/

/** Reports whether setting this variable affects only the command line itself. */
export const isHarmlessVariable = (name: string): boolean => TAME.test(name)
