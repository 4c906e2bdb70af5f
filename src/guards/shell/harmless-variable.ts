/** Lower-case names of variables are nothing to programs and shells, but for these. */
const TAME = /^(?!.*proxy|npm_|histchars$|auto_resume$|.*path$|argv$|status$|prompt$|watch$|fignore$)[a-z][a-z0-9_]*$/

/** Reports whether a variable of this name can be set without anything but the line itself taking notice. */
export const isHarmlessVariable = (name: string): boolean => TAME.test(name)
