package top

const helpText = `The table
  ↑ ↓ k j pgup pgdn home end            choose a queue
  enter           look into it: numbers, shares of pools, in flight, pending
  /               show only names that contain what you type; esc shows all
  < > r           sort by the column to the left or right; the other way
  N T R I W C F L sort by name, total, rate, infl, wait, load, failed, w99
Everywhere
  s               stacks of all items in flight, or of a queue's when looking
                  into it
  space + -       pause and go on; ask more often, less often
  esc q           back, quit
The columns
  rate/s  items that started, a second       infl    items executing now
  wait    queued, not begun                  load    time on items a second
  CPUhog  items that kept a worker too long  failed  items, for good
  w99 r99 99 % began within, ended within; if the program measures times
A mark before a queue's name
  !  stuck: items wait, and for 10 s nothing began, or nothing made room
  H  an item has had its CPU for too long, or nobody knows if it blocks
  S  an item blocks without a word    F  items failed since the last time
  P  paused or frozen, and items wait
`
