// The icons of the look that no library has: stroke 2 on a 24 grid, 16 px unless told.
import type { SVGProps } from 'react'
import { cn } from '@/lib/utils'

const paths = {
  menu: <path d="M4 6h16M4 12h16M4 18h16" />,
  search: <><circle cx="11" cy="11" r="6.5" /><path d="m20 20-4.3-4.3" /></>,
  moon: <path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z" />,
  sun: <><circle cx="12" cy="12" r="4" /><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4" /></>,
  help: <><circle cx="12" cy="12" r="9" /><path d="M9.5 9.5a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.9-1.1 1.8M12 16.8v.01" /></>,
  down: <path d="m6 9 6 6 6-6" />,
  up: <path d="m6 15 6-6 6 6" />,
  left: <path d="m15 6-6 6 6 6" />,
  right: <path d="m9 6 6 6-6 6" />,
  'sort-down': <path d="M12 5v14M6 13l6 6 6-6" />,
  'sort-up': <path d="M12 19V5M6 11l6-6 6 6" />,
  out: <path d="M10 4H5a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h5M15 8l4 4-4 4M19 12H9" />,
  home: <><rect x="3" y="3" width="7" height="9" rx="1" /><rect x="14" y="3" width="7" height="5" rx="1" /><rect x="14" y="12" width="7" height="9" rx="1" /><rect x="3" y="16" width="7" height="5" rx="1" /></>,
  folder: <path d="M3 7a2 2 0 0 1 2-2h4l2.5 3H19a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z" />,
  layers: <path d="M12 3 3 8l9 5 9-5zM3 12.5l9 5 9-5M3 17l9 4.5 9-4.5" />,
  upload: <path d="M12 16V5M7 9l5-5 5 5M5 20h14" />,
  download: <path d="M12 4v11M7 11l5 5 5-5M5 20h14" />,
  plus: <path d="M12 5v14M5 12h14" />,
  list: <path d="M9 6h12M9 12h12M9 18h12M4 6h.01M4 12h.01M4 18h.01" />,
  minus: <path d="M5 12h14" />,
  check: <path d="m5 12.5 4.5 4.5L19 7.5" />,
  x: <path d="M6 6l12 12M18 6 6 18" />,
  filter: <path d="M3 6h18M7 12h10M10 18h4" />,
  columns: <><rect x="3" y="4" width="18" height="16" rx="2" /><path d="M9 4v16M15 4v16" /></>,
  calendar: <><rect x="3" y="5" width="18" height="16" rx="2" /><path d="M3 10h18M8 3v4M16 3v4" /></>,
  refresh: <path d="M20 11a8 8 0 0 0-14.3-4.2L4 9M4 4v5h5M4 13a8 8 0 0 0 14.3 4.2L20 15M20 20v-5h-5" />,
  retry: <path d="M20 12a8 8 0 1 1-2.6-5.9L20 8.5M20 3.5v5h-5" />,
  stop: <rect x="6" y="6" width="12" height="12" rx="1.5" />,
  pause: <path d="M9 5v14M15 5v14" />,
  ok: <><circle cx="12" cy="12" r="9" /><path d="m8.3 12.4 2.5 2.5 4.9-5.4" /></>,
  err: <path d="M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM9 9l6 6M15 9l-6 6" />,
  warn: <path d="M12 4 2.8 20h18.4zM12 10v4.5M12 17.3v.01" />,
  run: <><circle cx="12" cy="12" r="9" opacity=".28" /><path d="M12 3a9 9 0 0 1 9 9" /></>,
  queued: <circle cx="12" cy="12" r="9" strokeDasharray="3.2 3.86" />,
  cancel: <><circle cx="12" cy="12" r="9" /><path d="m5.8 5.8 12.4 12.4" /></>,
  skip: <><circle cx="12" cy="12" r="9" /><path d="M8 12h8" /></>,
  dot: <><circle cx="12" cy="12" r="9" /><circle cx="12" cy="12" r="3.2" fill="currentColor" stroke="none" /></>,
  half: <><circle cx="12" cy="12" r="9" /><path d="M12 3a9 9 0 0 1 0 18z" fill="currentColor" /></>,
  inbox: <path d="M3 13l3-8h12l3 8v6H3zM3 13h5l1.5 3h5l1.5-3h5" />,
  archive: <><rect x="3" y="4" width="18" height="5" rx="1" /><path d="M5 9v10a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V9M10 13h4" /></>,
  lock: <><rect x="5" y="11" width="14" height="10" rx="2" /><path d="M8 11V8a4 4 0 0 1 8 0v3" /></>,
  key: <><circle cx="8" cy="15" r="4.5" /><path d="m11.2 11.8 8.3-8.3M16 7l3 3" /></>,
  id: <><rect x="3" y="5" width="18" height="14" rx="2" /><circle cx="8.5" cy="11" r="2" /><path d="M5.5 16a3 3 0 0 1 6 0M14.5 10h4M14.5 14h4" /></>,
  copy: <><rect x="9" y="9" width="11" height="11" rx="2" /><path d="M5 15a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1" /></>,
  file: <path d="M6 3h8l4 4v14H6zM14 3v4h4" />,
  queue: <><path d="M4 6h16M4 12h11M4 18h7" /><path d="m17 15 3 3-3 3" /></>,
  zap: <><path d="M4 12h5l2-3M20 12h-5l-1.2 1.8M9 12l6-8M9.5 20.5l4-5" /><path d="M3 3l18 18" /></>,
  play: <path d="M7 4.5v15l12-7.5z" />,
  worker: <><rect x="3" y="4" width="18" height="12" rx="2" /><path d="M8 20h8M12 16v4" /></>,
  table: <><rect x="3" y="5" width="18" height="14" rx="2" /><path d="M3 10h18M3 14.5h18M9 10v9" /></>,
  pen: <path d="M4 20h4L19 9l-4-4L4 16zM13 7l4 4" />,
  globe: <><circle cx="12" cy="12" r="9" /><path d="M3 12h18M12 3a14 14 0 0 1 0 18M12 3a14 14 0 0 0 0 18" /></>,
  clock: <><circle cx="12" cy="12" r="9" /><path d="M12 7v5l3 2" /></>,
  send: <path d="M21 3 10 14M21 3l-7 18-4-7-7-4z" />,
  eye: <><path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" /><circle cx="12" cy="12" r="2.8" /></>,
  job: <><rect x="4" y="4" width="16" height="6" rx="1.5" /><rect x="4" y="14" width="16" height="6" rx="1.5" /><path d="M8 7h.01M8 17h.01" /></>,
  audit: <path d="M3 12a9 9 0 1 0 2.6-6.4L3 8M3 3v5h5M12 8v4l3 2" />,
  bookmark: <path d="M6 3h12v18l-6-4.5L6 21z" />,
  bell: <path d="M6 17V11a6 6 0 0 1 12 0v6l1.5 1h-15zM10.5 21h3" />,
  mute: <path d="M6 17V11a6 6 0 0 1 .8-3M10 5.3A6 6 0 0 1 18 11v3M17 18H4.5L6 17M10.5 21h3M3 3l18 18" />,
  more: <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />,
} as const

export type IconName = keyof typeof paths

export function Icon({ name, className, ...props }: { name: IconName } & Omit<SVGProps<SVGSVGElement>, 'name'>) {
  return (
    <svg
      data-slot="icon"
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      className={cn('block size-4 shrink-0 fill-none stroke-current stroke-2 [stroke-linecap:round] [stroke-linejoin:round]', name === 'run' && 'turn', className)}
      {...props}
    >
      {paths[name]}
    </svg>
  )
}

export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" focusable="false" className={cn('block size-5 shrink-0', className)}>
      <path d="M1.5 5.2A1.7 1.7 0 0 1 3.2 3.5h4.1l2 2.2h7.5a1.7 1.7 0 0 1 1.7 1.7v7.4a1.7 1.7 0 0 1-1.7 1.7H3.2a1.7 1.7 0 0 1-1.7-1.7z" className="fill-foreground" />
      <path d="m6.4 11.2 2.3 2.3 4.8-4.9" className="fill-none stroke-background" strokeWidth="1.9" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
