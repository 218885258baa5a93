volatile int value;
int main(void) { return value; }
