// The empty layout: brand in the middle of a quiet page, used by sign-in and role choice.
import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Icon, Mark } from '@/components/ui/icons'
import { common } from '@/lib/common'
import { setLanguage, useLanguage } from '@/lib/texts'
import { toggleTheme, useDark } from '@/lib/theme'

export function Gate({ children }: { children: ReactNode }) {
  const dark = useDark()
  const language = useLanguage()
  return (
    <main className="grid min-h-dvh grid-rows-[1fr_auto_1.35fr] justify-items-center px-4">
      <span />
      <div className="w-[400px] max-w-full">
        <p className="mb-1 flex items-center gap-2.5 text-lg font-semibold tracking-[-0.02em]">
          <Mark className="size-[26px]" />
          {common.product()}
        </p>
        {children}
      </div>
      <footer className="flex items-center gap-2 self-end py-4 text-xs text-muted-foreground">
        <Button variant="ghost" lang={language === 'et' ? 'en' : 'et'} onClick={() => setLanguage(language === 'et' ? 'en' : 'et')}>
          {language === 'et' ? 'In English' : 'Eesti keeles'}
        </Button>
        <Button variant="ghost" onClick={toggleTheme}>
          <Icon name={dark ? 'sun' : 'moon'} />
          {dark ? common.light() : common.dark()}
        </Button>
      </footer>
    </main>
  )
}
