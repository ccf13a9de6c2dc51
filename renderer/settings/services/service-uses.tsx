import { Accordion, Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { writeInComposer } from '../../state/chat/chat-store.ts';
import classes from './service-uses.module.css';

const USES = ['pictures', 'voices', 'translation', 'music'] as const;
const STEPS = ['one', 'two', 'three'] as const;

/** What services are good for: for each use the steps, and a message to the assistant to begin with. */
export function ServiceUses() {
  const { t } = useTranslation('permissions');
  return (
    <section aria-label={t('service.uses.title')} className={classes.uses}>
      <h4 className={classes.heading}>{t('service.uses.title')}</h4>
      <p className={classes.lead}>{t('service.uses.lead')}</p>
      <Accordion variant="contained">
        {USES.map((use) => {
          const prompt = t(`service.uses.${use}.prompt`);
          return (
            <Accordion.Item key={use} value={use}>
              <Accordion.Control>{t(`service.uses.${use}.title`)}</Accordion.Control>
              <Accordion.Panel>
                <ol className={classes.steps}>
                  {STEPS.map((step) => (
                    <li key={step}>{t(`service.uses.${use}.steps.${step}`)}</li>
                  ))}
                </ol>
                <p className={classes.label}>{t('service.uses.prompt')}</p>
                <blockquote className={classes.prompt}>{prompt}</blockquote>
                <Button
                  variant="default"
                  size="compact-sm"
                  onClick={() => writeInComposer({ text: prompt, mode: 'act' })}
                >
                  {t('service.uses.put')}
                </Button>
              </Accordion.Panel>
            </Accordion.Item>
          );
        })}
      </Accordion>
    </section>
  );
}
