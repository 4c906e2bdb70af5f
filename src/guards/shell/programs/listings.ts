import { programs } from './program.ts'

/** Programs that report on files, processes or the machine. */
export const LISTINGS = programs({
  ls: {
    does: 'read',
    operands: 'files',
    free: true,
    flags: 'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1',
    options: `-I= -T= -w= --all --almost-all --author --block-size= --classify? --color? --context --dereference
    --dereference-command-line --directory --dired --escape --file-type --format= --full-time --group-directories-first --hide=
    --hide-control-chars --human-readable --hyperlink? --ignore= --ignore-backups --indicator-style= --inode --kibibytes --literal
    --no-group --numeric-uid-gid --quote-name --quoting-style= --recursive --reverse --show-control-chars --si --size --sort=
    --tabsize= --time= --time-style= --width= --zero`,
  },
  // Its letters take their values from the following words in order: in `-Po` the second letter is an option.
  tree: {
    does: 'read',
    operands: 'files',
    separate: true,
    flags: 'adfiqlxspughDFtcUrvANQSnCJXj',
    options: `-L= -P= -I= -T= -H= --noreport --filelimit= --dirsfirst --filesfirst --sort= --prune --du --si --matchdirs --ignore-case
    --inodes --device --timefmt= --charset= --gitignore --nolinks --metafirst --compress=`,
    risky: '-o> -R --fromfile --info --infofile@ --gitfile@ --hintro@ --houtro@',
    shapes: /^-L\d+$/,
  },
  stat: {
    does: 'read',
    operands: 'files',
    free: true,
    flags: 'Lft',
    options: '-c= --format= --printf= --dereference --file-system --terse --cached=',
  },
  du: {
    does: 'read',
    operands: 'files',
    free: true,
    flags: '0abcDhHkLlmPsSx',
    options: `-B= -d= -t= --all --apparent-size --block-size= --bytes --total --count-links --dereference --dereference-args --inodes
    --null --max-depth= --human-readable --summarize --separate-dirs --one-file-system --exclude= --time? --time-style= --threshold=
    --si`,
  },
  df: {
    does: 'read',
    operands: 'files',
    flags: 'ahHiklPTv',
    options: `-B= -t= -x= --all --block-size= --exclude-type= --human-readable --inodes --local --portability --total --type=
    --print-type --output? --si`,
  },
  file: {
    does: 'read',
    operands: 'files',
    flags: 'bchiklLNnrsv0EI',
    options: `-F= -e= --brief --mime --mime-type --mime-encoding --extension --apple --keep-going --dereference --no-dereference
    --no-pad --raw --separator= --print0`,
    risky: '-C -m@ -f@ -z -Z -p -P= --compile --magic-file@ --files-from@ --uncompress --preserve-date --parameter=',
  },
  basename: { does: 'read', operands: 'texts', free: true, flags: 'az', options: '-s= --multiple --suffix= --zero' },
  dirname: { does: 'read', operands: 'texts', free: true, flags: 'z', options: '--zero' },
  realpath: {
    does: 'read',
    operands: 'files',
    free: true,
    flags: 'eLmPqsz',
    options: `--canonicalize-existing --canonicalize-missing --logical --physical --quiet --relative-to= --relative-base= --strip
    --no-symlinks --zero`,
  },
  readlink: {
    does: 'read',
    operands: 'files',
    free: true,
    flags: 'efmnqsvz',
    options:
      '--canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero',
  },
  which: { does: 'read', operands: 'texts', flags: 'as', options: '--all' },
  type: { does: 'read', operands: 'texts', flags: 'aftpP' },
  whoami: { does: 'read', operands: 'none' },
  id: { does: 'read', operands: 'texts', flags: 'agGnruz', options: '--group --groups --name --real --user --zero' },
  groups: { does: 'read', operands: 'texts' },
  nproc: { does: 'read', operands: 'none', options: '--all --ignore=' },
  uname: {
    does: 'read',
    operands: 'none',
    flags: 'asnrvmpio',
    options:
      '--all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system',
  },
  uptime: { does: 'read', operands: 'none', flags: 'ps', options: '--pretty --since' },
  hostname: { does: 'read', operands: 'none', flags: 'sfidI' },
  sleep: { does: 'read', operands: 'texts' },
  seq: {
    does: 'read',
    operands: 'texts',
    flags: 'w',
    options: '-f= -s= --format= --separator= --equal-width',
    shapes: /^-[\d.]+$/,
  },
  top: { does: 'read', operands: 'none', flags: 'bcHiSs1', options: '-n= -d= -p= -u= -U= -o=' },
})
