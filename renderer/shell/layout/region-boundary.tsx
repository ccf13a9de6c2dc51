import { Button } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { Translation } from 'react-i18next';
import { copyDetails } from '../../state/notify.ts';
import { Message } from '../../ui/message.tsx';

interface RegionBoundaryProps {
  children: ReactNode;
}

/** Error boundary of a region: protects other regions, and unsaved text in them, from its failure. */
export class RegionBoundary extends Component<RegionBoundaryProps, { isBroken: boolean; error: unknown }> {
  override state = { isBroken: false, error: null };

  static getDerivedStateFromError(error: unknown) {
    return { isBroken: true, error };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <Translation ns="common">
        {(t) => (
          <Message tone="error" text={t('regionFailed')} hint={t('regionFailedHint')}>
            <Button variant="default" onClick={() => this.setState({ isBroken: false, error: null })}>
              {t('retry')}
            </Button>
            <Button variant="default" onClick={() => location.reload()}>
              {t('reload')}
            </Button>
            <Button variant="default" onClick={() => void copyDetails(this.state.error)}>
              {t('copyDetails')}
            </Button>
          </Message>
        )}
      </Translation>
    );
  }
}
