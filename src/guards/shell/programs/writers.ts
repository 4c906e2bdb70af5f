import { fileConcern } from '../concern.ts'
import { programs, type Check } from './program.ts'

/** Owner, group and other only: a program that runs as somebody else is none of it. */
const mode: Check = text => {
  const isMode = /^[0-7]{3}$|^0[0-7]{3}$|^[ugoa]*[-+=][rwxX]+(,[ugoa]*[-+=][rwxX]+)*$/.test(text)
  return isMode || !/^[0-7]+$|[-+=]/.test(text) ? undefined : 'it may let a file run as somebody else'
}

/** `if=`, `of=` and the rest of what dd knows. */
const block: Check = text => {
  const [, name = '', value = ''] = /^(\w+)=([^]*)$/.exec(text) ?? []
  if (name === 'if' || name === 'of') return fileConcern(value)
  return /^(bs|ibs|obs|cbs|count|skip|seek|iseek|oseek|conv|status)$/.test(name) ? undefined : `${text} is not known`
}

const WRITES = { does: 'write', operands: 'files' } as const

/**
 * Programs whose purpose is to write. A rule for one of them is the user's word that it may, on files of the workspace that the line
 * shows; options that run something, and files elsewhere, are asked for.
 */
export const WRITERS = programs({
  cp: {
    ...WRITES,
    flags: 'abdfiHlLnpPrRsTuvx',
    options: `-t@ --archive --force --interactive --no-clobber --recursive --update? --parents --no-target-directory
    --target-directory@ --preserve? --attributes-only --verbose --dereference --no-dereference --link --symbolic-link`,
    risky: '-S= -Z --suffix= --backup? --context?',
  },
  mv: {
    ...WRITES,
    flags: 'bfinTuv',
    options: '-t@ --force --interactive --no-clobber --update? --no-target-directory --target-directory@ --verbose',
    risky: '-S= -Z --suffix= --backup? --context?',
  },
  ln: {
    ...WRITES,
    flags: 'bfinrsTv',
    options: '--symbolic --force --relative --no-dereference --verbose',
    risky: '-t@ -S=',
  },
  install: {
    ...WRITES,
    flags: 'bcCdDpTv',
    options: '-m= -t@ --directory --compare --preserve-timestamps --target-directory@ --mode= --verbose',
    risky: '-s -o= -g= -S= --strip --strip-program! --owner= --group= --suffix=',
    checks: { '-m': mode, '--mode': mode },
  },
  touch: {
    ...WRITES,
    flags: 'acfhm',
    options: '-d= -t= -r@ --date= --no-create --no-dereference --reference@ --time=',
  },
  mkdir: { ...WRITES, flags: 'pv', options: '--parents --verbose', risky: '-m= -Z --mode= --context?' },
  rmdir: { ...WRITES, flags: 'pv', options: '--parents --ignore-fail-on-non-empty --verbose' },
  rm: {
    ...WRITES,
    flags: 'dfiIrRv',
    options: '--force --recursive --interactive? --dir --one-file-system --preserve-root? --verbose',
    risky: '--no-preserve-root',
  },
  tee: { ...WRITES, flags: 'aip', options: '--append --ignore-interrupts --output-error?' },
  dd: { does: 'write', operands: 'texts', check: block },
  chmod: {
    does: 'write',
    operands: 'texts',
    check: text => mode(text) ?? fileConcern(text),
    flags: 'Rcfv',
    options: '--recursive --changes --quiet --silent --verbose',
    risky: '--reference@ --no-preserve-root',
    shapes: /^-[rwx]+$/,
  },
  truncate: { ...WRITES, flags: 'co', options: '-s= -r@ --size= --no-create --io-blocks --reference@' },
  split: {
    ...WRITES,
    flags: 'deux',
    options: `-a= -b= -C= -l= -n= -t= --bytes= --lines= --line-bytes= --number= --numeric-suffixes? --hex-suffixes? --suffix-length=
    --additional-suffix= --elide-empty-files --separator= --unbuffered --verbose`,
    risky: '--filter!',
  },
  csplit: {
    does: 'write',
    operands: 'text-then-files',
    flags: 'kqsz',
    options:
      '-b= -f= -n= --prefix= --suffix-format= --digits= --keep-files --quiet --silent --elide-empty-files --suppress-matched',
  },
})
