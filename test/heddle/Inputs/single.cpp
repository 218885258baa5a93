// Starts no thread.
int main() {}
