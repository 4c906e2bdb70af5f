/** Where the command's home directory is: in its private /tmp, gone with it. */
export const HOME = '/tmp/home'

/** Where our own few files are inside. */
export const OWN = '/run/toolwright'

/** The port on the command's own 127.0.0.1 that leads to our proxy. */
export const PROXY_PORT = 3128
