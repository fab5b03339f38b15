// A dual-chamber pacemaker in mode DDD, after the public system specification of the pacemaker
// challenge: both chambers are paced and sensed, and what is sensed in the atrium is answered in the
// ventricle. Own model, for studying verification engines; not a medical device.
//
// PROPERTY selects what is asserted, ERROR what is wrong:
//   PROPERTY 1  atrial sensing is never switched to the state it is in
//   PROPERTY 2  ventricular sensing is never switched to the state it is in
//   PROPERTY 3  the sensors are switched in the order of a cardiac cycle
//   PROPERTY 4  ventricular sensing is never suspended for longer than 10 ticks
//   ERROR 0     nothing
//   ERROR 1     after a premature beat the atrial sensor is switched off once more
//   ERROR 2     blanking after an atrial pace forgets that the ventricular sensor is off already
//   ERROR 3     an atrial beat in the refractory period restarts it without switching the sensor off
//   ERROR 4     after LONG premature beats in a row the cycle is left in the wrong order (deep)
//   ERROR 5     the ventricular refractory period can be programmed to 12 ticks
#ifndef PROPERTY
#define PROPERTY 1
#endif
#ifndef ERROR
#define ERROR 0
#endif
#define LONG 6

extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define ON 1
#define OFF 0

// ---- parameters, in ticks of 50 ms ----
int lower_rate_interval;   // longest time from ventricular to ventricular event
int upper_rate_interval;   // shortest time at which the ventricle is paced after the atrium
int av_delay;              // from atrial to ventricular event
int ventricular_refractory;
int atrial_refractory;     // after a ventricular event (PVARP)
int extension;             // of the atrial refractory period after a premature beat
int blanking;              // of the ventricular sensor after an atrial pace

// ---- state ----
int atrial_sensing;
int ventricular_sensing;
int atrial_timer;          // since the last atrial event
int ventricular_timer;     // since the last ventricular event
int atrial_paces;
int ventricular_paces;
int premature;             // premature ventricular beats in a row
int extended;              // the atrial refractory period is extended
int stage;                 // monitor: how far the sensors have been switched in this cycle
#if PROPERTY == 4
int suspended;             // monitor: how long the ventricular sensor has been off
#endif

// ---- the monitored switches ----

void violation(int property) {
  if (property == PROPERTY) {
    reach_error();
  }
}

// The order of a cycle: 0 both on; 1 atrial off (an atrial event); 2 ventricular off (a ventricular
// event); 3 ventricular on again; then atrial on.
void advance(int from, int to) {
  if (stage != from) {
    violation(3);
  }
  stage = to;
}

void switch_atrial(int state) {
  if (atrial_sensing == state) {
    violation(1);
  }
  atrial_sensing = state;
}

void switch_ventricular(int state) {
  if (ventricular_sensing == state) {
    violation(2);
  }
  ventricular_sensing = state;
#if PROPERTY == 4
  suspended = 0;
#endif
}

// ---- electrodes ----

int limited(int value, int low, int high) {
  if (value < low) {
    return low;
  }
  if (value > high) {
    return high;
  }
  return value;
}

int sense_atrium(void) {
  if (atrial_sensing == ON) {
    return __VERIFIER_nondet_int() != 0;
  }
  return 0;
}

int sense_ventricle(void) {
  if (ventricular_sensing == ON) {
    return __VERIFIER_nondet_int() != 0;
  }
  return 0;
}

void pace_atrium(void) {
  if (atrial_paces < 1000) {
    atrial_paces = atrial_paces + 1;
  }
}

void pace_ventricle(void) {
  if (ventricular_paces < 1000) {
    ventricular_paces = ventricular_paces + 1;
  }
}

void tick(void) {
  if (atrial_timer < 10000) {
    atrial_timer = atrial_timer + 1;
  }
  if (ventricular_timer < 10000) {
    ventricular_timer = ventricular_timer + 1;
  }
#if PROPERTY == 4
  if (ventricular_sensing == OFF) {
    suspended = suspended + 1;
    if (suspended > 10) {
      violation(4);
    }
  }
#endif
}

// ---- programming ----

int programmed(int low, int high) {
  return limited(__VERIFIER_nondet_int(), low, high);
}

void set_parameters(void) {
  lower_rate_interval = programmed(7, 40);
  upper_rate_interval = programmed(7, 24);
  if (upper_rate_interval > lower_rate_interval) {
    upper_rate_interval = lower_rate_interval;
  }
  av_delay = programmed(2, 6);
#if ERROR == 5
  ventricular_refractory = programmed(3, 12);
#else
  ventricular_refractory = programmed(3, 10);
#endif
  atrial_refractory = programmed(3, 10);
  if (atrial_refractory < ventricular_refractory) {
    atrial_refractory = ventricular_refractory;
  }
  extension = programmed(0, 8);
  blanking = programmed(1, 2);
}

void start(void) {
  atrial_sensing = ON;
  ventricular_sensing = ON;
  atrial_timer = 0;
  ventricular_timer = 0;
  atrial_paces = 0;
  ventricular_paces = 0;
  premature = 0;
  extended = 0;
  stage = 0;
#if PROPERTY == 4
  suspended = 0;
#endif
}

// ---- the parts of a cycle ----

// Waits for an atrial event. Returns 1 for one (sensed or paced), 0 for a premature ventricular beat.
int wait_for_atrium(void) {
  int limit = lower_rate_interval - av_delay;
  while (1) {
    tick();
    if (sense_ventricle()) {
      return 0;
    }
    if (sense_atrium()) {
      return 1;
    }
    if (ventricular_timer >= limit) {
      pace_atrium();
      return 2;
    }
  }
}

// The ventricle is blind for a moment after an atrial pace.
void blank(void) {
  int left = blanking;
  switch_ventricular(OFF);
  while (left > 0) {
    tick();
    left = left - 1;
  }
#if ERROR == 2
  if (ventricular_timer >= upper_rate_interval) {
    switch_ventricular(OFF);
  }
#endif
  switch_ventricular(ON);
}

// The delay between atrium and ventricle; ends with a sensed or a paced ventricular event.
void av_interval(void) {
  atrial_timer = 0;
  while (1) {
    tick();
    if (sense_ventricle()) {
      return;
    }
    if (atrial_timer >= av_delay && ventricular_timer >= upper_rate_interval) {
      pace_ventricle();
      return;
    }
  }
}

// Both sensors are blind.
void ventricular_refractory_period(void) {
  ventricular_timer = 0;
  while (ventricular_timer < ventricular_refractory) {
    tick();
  }
}

// Only the ventricular sensor listens. Returns 1 if it saw a premature beat.
int atrial_refractory_period(void) {
  int end = atrial_refractory;
  if (extended) {
    end = end + extension;
  }
  while (ventricular_timer < end) {
    tick();
    if (sense_ventricle()) {
      return 1;
    }
#if ERROR == 3
    if (__VERIFIER_nondet_int() && ventricular_timer > ventricular_refractory + 2) {
      switch_atrial(ON);
      switch_atrial(ON);
      switch_atrial(OFF);
    }
#endif
  }
  return 0;
}

// What follows a ventricular event: refractory periods, until the atrium is listened to again.
void after_ventricular_event(void) {
  int again = 1;
  while (again) {
    switch_ventricular(OFF);
    advance(1, 2);
    ventricular_refractory_period();
    switch_ventricular(ON);
    advance(2, 3);
    again = atrial_refractory_period();
    if (again) {
      // A premature beat: the cycle begins again at the ventricular event.
      if (premature < 100) {
        premature = premature + 1;
      }
      extended = 1;
      advance(3, 1);
#if ERROR == 1
      if (premature == 2) {
        switch_atrial(OFF);
      }
#endif
#if ERROR == 4
      if (premature == LONG) {
        advance(3, 1);
      }
#endif
    } else {
      premature = 0;
      extended = 0;
    }
  }
}

void cycle(void) {
  int event = wait_for_atrium();
  switch_atrial(OFF);
  advance(0, 1);
  if (event == 0) {
    // A premature ventricular beat takes the place of the atrial event.
    premature = premature + 1;
    extended = 1;
  } else {
    premature = 0;
    if (event == 2) {
      blank();
    }
    av_interval();
  }
  after_ventricular_event();
  switch_atrial(ON);
  advance(3, 0);
}

// ---- modes around the cycle ----

// The magnet: asynchronous cycles, sensors only switched as the order demands.
void paced_cycle(void) {
  pace_atrium();
  switch_atrial(OFF);
  advance(0, 1);
  av_interval();
  after_ventricular_event();
  switch_atrial(ON);
  advance(3, 0);
}

void magnet_response(void) {
  paced_cycle();
  paced_cycle();
  paced_cycle();
}

// After programming: three cycles on the bench, with paces counted.
void self_test(void) {
  cycle();
  cycle();
  cycle();
  if (ventricular_paces + atrial_paces == 0) {
    set_parameters();
  }
}

// The atrium is too fast: some cycles with a longer delay, then back.
void fallback(void) {
  int delay = av_delay;
  av_delay = limited(delay + 2, 2, 6);
  cycle();
  cycle();
  av_delay = delay;
}

int main(void) {
  set_parameters();
  start();
  self_test();
  while (1) {
    int mode = __VERIFIER_nondet_int();
    if (mode == 1) {
      magnet_response();
    } else if (mode == 2 && atrial_timer < upper_rate_interval) {
      fallback();
    } else {
      cycle();
    }
  }
  return 0;
}
